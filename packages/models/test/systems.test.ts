/** Tests the features of the five systems that this package has; each title names the system and the feature. */
import type { ModelMessage } from "@localharness/protocol";
import { expect, test } from "vitest";
import { createModel } from "../src/index.ts";
import { startFakeServer } from "./fake-server/index.ts";
import { collect } from "./model-contract.ts";
import { readTool, user } from "./test-request.ts";

const readCall = { name: "read_file", arguments: { path: "a.txt" } };
const asked: readonly ModelMessage[] = [user("Read a.txt.")];
const answered: readonly ModelMessage[] = [
  ...asked,
  {
    role: "assistant",
    content: "",
    toolCalls: [{ id: "call_1", name: "read_file", arguments: '{"path":"a.txt"}' }],
  },
  {
    role: "tool",
    toolCallId: "call_1",
    toolName: "read_file",
    content: '{"success":true,"data":"1: hi","error_message":null,"error_type":"none"}',
  },
];

async function open(provider: "openai" | "ollama", origin: string, toolCalls?: "text") {
  const { model } = await createModel({
    provider,
    model: "fake-model",
    baseUrl: provider === "openai" ? `${origin}/v1` : origin,
    environment: { OPENAI_API_KEY: "k-test" },
    ...(toolCalls === undefined ? {} : { toolCalls }),
  });
  return model;
}

const ended = { type: "tool-call-end", index: 0, name: "read_file" };

test("Grok terminal: a streamed answer is read, its deltas accumulate into a call", async () => {
  await using server = await startFakeServer({
    turns: [{ text: "I look.", calls: [readCall] }],
    deltaChars: 3,
  });
  const events = await collect(await open("openai", server.origin), { messages: asked, tools: [readTool] });
  expect(events).toContainEqual(expect.objectContaining({ ...ended, arguments: '{"path":"a.txt"}' }));
  expect(events.at(-1)).toEqual({ type: "model-end", stopReason: "tool-calls" });
});

test("Grok terminal: the request offers the tools with tool_choice auto, streaming, and carries the history", async () => {
  await using server = await startFakeServer({ turns: [{ text: "first" }, { text: "done" }] });
  await collect(await open("openai", server.origin), { messages: answered, tools: [readTool] });
  expect(server.chats[0]?.body).toMatchObject({
    stream: true,
    tool_choice: "auto",
    tools: [{ type: "function", function: { name: "read_file" } }],
    messages: [
      { role: "user", content: "Read a.txt." },
      { role: "assistant", tool_calls: [{ id: "call_1", type: "function" }] },
      { role: "tool", tool_call_id: "call_1" },
    ],
  });
});

test("Local Harness: Ollama gets arguments as an object, an OpenAI server as a JSON string", async () => {
  await using server = await startFakeServer({ turns: [{ text: "first" }, { text: "done" }] });
  for (const provider of ["ollama", "openai"] as const) {
    await collect(await open(provider, server.origin), { messages: answered, tools: [readTool] });
  }
  const sent = server.chats.map((chat) => {
    const messages = chat.body?.["messages"] as { tool_calls?: { function: { arguments: unknown } }[] }[];
    return messages[1]?.tool_calls?.[0]?.function.arguments;
  });
  expect(sent).toEqual([{ path: "a.txt" }, '{"path":"a.txt"}']);
});

test("ZodoLlama: a call of Ollama comes without id and type and gets an id", async () => {
  await using server = await startFakeServer({ turns: [{ calls: [readCall] }] });
  const events = await collect(await open("ollama", server.origin), { messages: asked, tools: [readTool] });
  const call = events.find((event) => event.type === "tool-call-end");
  expect(call).toMatchObject(ended);
  expect(call?.type === "tool-call-end" && call.id.length).toBeGreaterThan(0);
});

test("Ralph: results are injected as TOOL RESULT for models that call in text", async () => {
  await using server = await startFakeServer({ turns: [{ text: "first" }, { text: "done" }] });
  await collect(await open("ollama", server.origin, "text"), { messages: answered, tools: [readTool] });
  const messages = server.chats[0]?.body?.["messages"] as { role: string; content: string }[];
  expect(messages.at(-1)).toMatchObject({ role: "tool", content: "TOOL RESULT (read_file):\n1: hi" });
  expect(messages[0]?.content).toContain("read_file");
});
