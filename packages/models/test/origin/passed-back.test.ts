/** What an answer brought goes back to the server that made it, and to no other, on both wires. */
import type { ModelRequest } from "@localharness/engine";
import {
  applyEvent,
  emptyView,
  type JsonObject,
  type ModelEvent,
  type ModelMessage,
  type SessionEvent,
} from "@localharness/protocol";
import { afterAll, beforeEach, expect, test } from "vitest";
import { chunks, messagesIn, startJudgingServer } from "../judging-server.ts";
import { collect } from "../model-contract.ts";
import { ollama, openai } from "../open-wires.ts";
import { lsTool, user } from "../test-request.ts";

const server = await startJudgingServer();
const { address } = server;
afterAll(() => server.close());

let answer = "";
beforeEach(() => server.judgeBy(() => answer));
const last = () => server.sent.at(-1) ?? {};

const lines = (message: JsonObject) => `${JSON.stringify({ message, done: true, done_reason: "stop" })}\n`;

const request = (messages: readonly ModelMessage[]): ModelRequest => ({ messages, tools: [lsTool] });

/** Returns the message that the events of an answer make. */
function messageOf(events: readonly ModelEvent[]): ModelMessage {
  const view = events.reduce(
    (before, event, index) =>
      applyEvent(
        before,
        JSON.parse(JSON.stringify({ sessionId: "s", turnId: "t", seq: index + 1, ...event })) as SessionEvent,
      ),
    emptyView,
  );
  const message = view.messages.at(-1);
  if (message?.role !== "assistant") throw new Error("no answer");
  return message;
}

function assistantIn(body: JsonObject): JsonObject {
  return messagesIn(body).find(({ role }) => role === "assistant") ?? {};
}

const result: ModelMessage = { role: "tool", toolCallId: "c1", toolName: "ls", content: "a" };
const made = { name: "ls", arguments: "{}" };

test("a thought, its details and a call's seal go back, and only to their server and family", async () => {
  answer = chunks(
    { role: "assistant", reasoning: "Look ", steps: [{ type: "t", index: 0, text: "Look " }] },
    { reasoning: "there.", steps: [{ type: "t", index: 0, text: "there." }] },
    {
      tool_calls: [
        { index: 0, id: "c1", type: "function", function: { ...made, mark: "m" }, seal: { by: "QQ==" } },
      ],
    },
  );
  const events = await collect(openai(`${address}/v1`, { model: "atlas-2" }), request([user("q")]));
  const history = [user("q"), messageOf(events), result];
  answer = chunks({ content: "ok" });
  await collect(openai(`${address}/v1`, { model: "atlas-3-mini" }), request(history));
  expect(assistantIn(last())).toEqual({
    role: "assistant",
    content: "",
    reasoning: "Look there.",
    steps: [{ type: "t", index: 0, text: "Look there." }],
    tool_calls: [{ id: "c1", type: "function", function: { ...made, mark: "m" }, seal: { by: "QQ==" } }],
  });
  const plain = {
    role: "assistant",
    content: "",
    tool_calls: [{ id: "c1", type: "function", function: made }],
  };
  for (const [base, model] of [
    [`${address}/v1`, "borealis-1"],
    [`${address}/other/v1`, "atlas-2"],
  ] as const) {
    await collect(openai(base, { model }), request(history));
    expect(assistantIn(last()), `${base} ${model}`).toEqual(plain);
  }
  answer = lines({ content: "ok" });
  await collect(ollama(address, { model: "atlas-2" }), request(history));
  expect(assistantIn(last())).toEqual({
    role: "assistant",
    content: "",
    tool_calls: [{ id: "c1", function: { index: 0, name: "ls", arguments: {} } }],
  });
});

test("Ollama gets its thought and its own fields back", async () => {
  answer = lines({
    role: "assistant",
    content: "",
    thinking: "Hm.",
    seal: "x",
    tool_calls: [{ id: "c1", function: { name: "ls", arguments: {}, mark: 1 } }],
  });
  const events = await collect(ollama(address), request([user("q")]));
  answer = lines({ content: "ok" });
  await collect(ollama(address), request([user("q"), messageOf(events), result]));
  expect(assistantIn(last())).toEqual({
    role: "assistant",
    content: "",
    thinking: "Hm.",
    seal: "x",
    tool_calls: [{ id: "c1", function: { index: 0, name: "ls", arguments: {}, mark: 1 } }],
  });
});

test("a thought that came as a part of the content goes back as such a part", async () => {
  answer = chunks(
    { content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] },
    { content: "Yes." },
  );
  const events = await collect(openai(`${address}/v1`), request([user("q")]));
  await collect(openai(`${address}/v1`), request([user("q"), messageOf(events), user("r")]));
  expect(assistantIn(last())).toEqual({
    role: "assistant",
    content: [
      { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
      { type: "text", text: "Yes." },
    ],
  });
});

test("a longer history begins with the text of the shorter one", async () => {
  answer = chunks(
    { reasoning_content: "Hm.", seal: "x" },
    { tool_calls: [{ index: 0, id: "functions.ls:0", function: made }] },
  );
  const model = openai(`${address}/v1`);
  const first = messageOf(await collect(model, request([user("q")])));
  const history = [user("q"), first, { ...result, toolCallId: "functions.ls:0" }];
  await collect(model, request(history));
  const shorter = JSON.stringify(last()["messages"]).slice(0, -1);
  const second = messageOf(await collect(model, request(history)));
  await collect(model, request([...history, { ...second, toolCalls: [] } as ModelMessage, user("r")]));
  expect(JSON.stringify(last()["messages"]).startsWith(shorter)).toBe(true);
});
