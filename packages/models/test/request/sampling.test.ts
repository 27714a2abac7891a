/** Checks that each adapter sends sampling settings under the names of its server. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createModel } from "../../src/index.ts";
import type { Sampling } from "../../src/request/sampling.ts";
import { type FakeServer, startFakeServer } from "../fake-server/index.ts";

let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer({ turns: Array.from({ length: 9 }, () => ({ text: "ok" })) });
});
afterAll(() => server.close());

const sampling: Sampling = { temperature: 0.6, top_p: 0.95, top_k: 20, min_p: 0, repeat_penalty: 1.05 };
const plain = { temperature: 0.6, top_p: 0.95, top_k: 20, min_p: 0 };

test.each([
  { provider: "ollama", sent: { options: sampling }, not: [] },
  { provider: "llamacpp", sent: sampling, not: [] },
  { provider: "lmstudio", sent: sampling, not: [] },
  { provider: "vllm", sent: { ...plain, repetition_penalty: 1.05 }, not: ["repeat_penalty"] },
  { provider: "custom", sent: { ...sampling, repetition_penalty: 1.05 }, not: [] },
])("$provider", async ({ provider, sent, not }) => {
  const origin = server.baseUrl.replace(/\/v1$/, "");
  const { model } = await createModel({
    provider,
    model: "fake-model",
    baseUrl: provider === "ollama" ? origin : `${origin}/v1`,
    environment: {},
    tuned: () => ({ sampling }),
  });
  const request = {
    messages: [{ role: "user" as const, content: "hi", from: "person" as const }],
    tools: [],
  };
  for await (const event of model.stream(request, AbortSignal.timeout(5_000))) {
    if (event.type === "model-error") throw new Error(event.message);
  }
  const body = server.chats.at(-1)?.body;
  expect(body).toMatchObject(sent);
  for (const name of not) expect(body).not.toHaveProperty(name);
});
