/** Checks which key a server of embeddings gets, by its address. Nothing is sent: the request ends before the network. */
import { expect, test } from "vitest";
import { createEmbeddingModel } from "../src/embeddings.ts";
import type { HttpRequest } from "../src/http/http.ts";
import { createModelQueue } from "../src/take-turns.ts";

const provider = { OPENAI_API_KEY: "of-provider" };
const own = { LOCALHARNESS_EMBEDDING_API_KEY: "of-embeddings" };

test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, string | undefined]>([
  ["https://api.openai.com/v1", provider, {}, "Bearer of-provider"],
  ["https://api.openai.com/v1", {}, { openai: "of-file" }, "Bearer of-file"],
  ["https://api.openai.com/v1", { ...provider, ...own }, {}, "Bearer of-embeddings"],
  ["http://api.openai.com/v1", provider, {}, undefined],
  ["https://api.openai.com:8443/v1", provider, {}, undefined],
  ["https://api.openai.com.example/v1", provider, {}, undefined],
  ["https://embeddings.example/v1", provider, {}, undefined],
  ["https://embeddings.example/v1", own, {}, "Bearer of-embeddings"],
  ["https://embeddings.example/v1", {}, { embedding: "of-file" }, "Bearer of-file"],
  ["http://127.0.0.1:11434", { OLLAMA_API_KEY: "of-ollama" }, {}, "Bearer of-ollama"],
])("%s with %j and a key file of %j: %s", async (baseUrl, environment, keys, expected) => {
  const sent: HttpRequest[] = [];
  const model = createEmbeddingModel({
    model: "toy",
    baseUrl,
    environment,
    keys,
    queue: createModelQueue(1),
    http: {
      async send(request) {
        sent.push(request);
        return { kind: "local", message: "Nothing is sent." };
      },
    },
  });
  const answer = await model.embed(["text"], new AbortController().signal);
  expect(answer).toEqual({ ok: false, problem: "Nothing is sent" });
  expect(sent.map(({ headers }) => headers["authorization"])).toEqual([expected]);
});
