/** Checks how many calls of agents a server gets at once. */
import type { Model } from "@localharness/engine";
import type { SelectedModel } from "@localharness/models";
import { expect, test } from "vitest";
import { createModelQueues } from "../../../src/models/model-queues.ts";
import { createAgentModels } from "../../../src/prompt/agents/agent-models.ts";

test.each([
  ["ollama", "https://far.example", 1],
  ["vllm", "http://127.0.0.1:8000/v1", 2],
  ["custom", "http://127.0.0.1:1/v1", 1],
  ["custom", "http://me:hunter2@localhost:1/v1", 1],
  ["custom", "https://far.example/v1", 2],
] as const)("of two at %s, %s, %i run at once", async (provider, baseUrl, atOnce) => {
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  const model: Model = {
    name: "m",
    provider,
    async *stream() {
      asked += 1;
      await gate.promise;
      yield { type: "model-end", stopReason: "stop" };
    },
  };
  const selected: SelectedModel = { model, provider, baseUrl, reason: "" };
  const queued = await createModelQueues(undefined).queued(selected);
  const models = createAgentModels({ selected: () => queued, select: () => Promise.resolve(queued) });
  const ask = async () => {
    const opened = await models.open(undefined);
    return opened
      .stream({ messages: [], tools: [] }, new AbortController().signal)
      [Symbol.asyncIterator]()
      .next();
  };
  const both = [ask(), ask()];
  await expect.poll(() => asked).toBeGreaterThan(0);
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toBe(atOnce);
  gate.resolve();
  await Promise.all(both.slice(0, atOnce));
});
