/** Checks which key a server of embeddings gets, by its address, and that an interrupt ends the request. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { HttpRequest } from "../../src/http/http.ts";
import { createModelQueue } from "../../src/request/take-turns.ts";
import { createEmbeddingModel } from "../../src/wire/embeddings.ts";

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

test("an interrupt ends the request at the server too", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const model = createEmbeddingModel({
    model: "toy",
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    environment: {},
    keys: {},
    queue: createModelQueue(1),
  });
  const stop = new AbortController();
  const embedded = model.embed(["text"], stop.signal);
  const [, response] = await once(server, "request");
  stop.abort();
  expect(await embedded).toEqual({ ok: false, problem: "interrupted" });
  await expect.poll(() => response.destroyed).toBe(true);
});
