import { expect, it } from "vitest";
import { argumentsText } from "../../src/answer/arguments-object.ts";
import { createOllamaChat, createOpenaiChat } from "../../src/index.ts";
import { requestText } from "../../src/request/request-text.ts";
import { startFakeServer } from "../fake-server/index.ts";
import { collect } from "../model-contract.ts";
import { createTestHttp, user } from "../test-request.ts";

it.each([
  ["a", "a"],
  ["\ud83d", "\ufffd"],
  ["\ude00\ud83d", "\ufffd\ufffd"],
  ["\ud83d\ude00", "\ud83d\ude00"],
  ["\\ud83d", "\\ud83d"],
  ["\\\ud83d", "\\\ufffd"],
  ["\\\\ud83d \ud83dx", "\\\\ud83d \ufffdx"],
  ["\u0000\ud7ff\ue000", "\u0000\ud7ff\ue000"],
])("writes %j so that every parser reads it", (text, read) => {
  expect(JSON.parse(requestText({ [text]: [text] }))).toEqual({ [read]: [read] });
});

it.each([
  ['{"a": "\\ud83d"}', '{"a":"\ufffd"}'],
  ['{"a": "\\uD83D\\uDE00"}', '{"a":"\ud83d\ude00"}'],
  ['{ "a": "x" }', '{ "a": "x" }'],
])("writes the arguments %s of an earlier call as %s", (args, written) => {
  expect(argumentsText(args)).toBe(written);
});

it("sends no lone surrogate over any wire", async () => {
  await using server = await startFakeServer({ turns: [{ text: "hi" }, { text: "hi" }] });
  const common = { title: "Test", model: "fake-model", http: createTestHttp() };
  const messages = [
    user("cut \ud83d"),
    {
      role: "assistant" as const,
      content: "\ude00",
      toolCalls: [
        { id: "a", name: "ls", arguments: '{"path": "\\ud83d"}' },
        { id: "b", name: "ls", arguments: { path: "\ud83d" } },
        { id: "c", name: "ls", arguments: "{\ud83d" },
      ],
    },
    ...["a", "b", "c"].map((toolCallId) => ({
      role: "tool" as const,
      toolCallId,
      toolName: "ls",
      content: "\ud83d",
    })),
  ];
  await collect(createOpenaiChat({ ...common, provider: "custom", baseUrl: server.baseUrl }), {
    messages,
    tools: [],
  });
  await collect(createOllamaChat({ ...common, provider: "ollama", origin: server.origin }), {
    messages,
    tools: [],
  });
  expect(server.chats).toHaveLength(2);
  for (const { body } of server.chats) expect(JSON.stringify(body)).not.toMatch(/\\ud[89a-f]/i);
});
