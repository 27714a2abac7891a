/** Tests when the schema of an answer is sent, and what happens when a server refuses it. */
import type { Model } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import { expect, it } from "vitest";
import { createOllamaChat, createOpenaiChat, withTextToolCalls } from "../src/index.ts";
import { type FakeServer, type Fault, startFakeServer } from "./fake-server/index.ts";
import { collect } from "./model-contract.ts";
import { createTestHttp, lsTool } from "./test-request.ts";

const base = { title: "Test", model: "fake-model", retry: { tries: 1 } };

function openai(baseUrl: string): Model {
  return createOpenaiChat({ ...base, provider: "custom", http: createTestHttp(), baseUrl });
}

function ollama(origin: string): Model {
  return createOllamaChat({ ...base, provider: "ollama", http: createTestHttp(), origin });
}

const wires = [
  { name: "openai", connect: (server: FakeServer) => openai(server.baseUrl) },
  { name: "ollama", connect: (server: FakeServer) => ollama(server.origin) },
];

const types = (events: readonly ModelEvent[]) =>
  events.map((event) => event.type).filter((type) => type !== "usage");

const format = { type: "integer" };
const sent = { openai: "response_format", ollama: "format" } as const;
const grammar = { error: { message: "failed to parse grammar" } };

for (const wire of wires) {
  const key = sent[wire.name as "openai" | "ollama"];
  it.each([400, 500])(`is left out once the server has refused it with %i (${wire.name})`, async (status) => {
    const fault: Fault = { kind: "status", status, body: grammar };
    await using server = await startFakeServer({ turns: [{ text: "7", faults: [fault] }] });
    const model = wire.connect(server);
    const request = { messages: [], tools: [], format };
    expect(types(await collect(model, request))).toEqual(["model-retry", "text-delta", "model-end"]);
    expect(types(await collect(model, request))).toEqual(["text-delta", "model-end"]);
    expect(server.chats.map(({ body }) => key in (body ?? {}))).toEqual([true, false, false]);
  });

  it(`reaches the server through what reads calls from text, and is not given up for another refusal (${wire.name})`, async () => {
    const fault: Fault = { kind: "status", status: 400, body: { error: { message: "no such sampler" } } };
    await using server = await startFakeServer({ turns: [{ text: "7", faults: [fault] }] });
    for (const mode of ["native", "text"] as const) {
      const model = withTextToolCalls(wire.connect(server), { mode });
      await collect(model, { messages: [], tools: [], format });
      expect(server.chats.at(-1)?.body).toHaveProperty(key);
    }
  });
}

it("is not dropped for a refusal about a grammar for tools", async () => {
  const fault: Fault = { kind: "status", status: 400, body: grammar };
  await using server = await startFakeServer({ turns: [{ text: "7", faults: [fault] }] });
  const events = await collect(openai(server.baseUrl), { messages: [], tools: [lsTool] });
  expect(types(events)).toEqual(["model-retry", "text-delta", "model-end"]);
  expect(events[0]).toMatchObject({ message: expect.stringContaining("refused the tools") });
});
