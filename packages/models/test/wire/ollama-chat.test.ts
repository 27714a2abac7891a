import type { ModelEvent } from "@localharness/protocol";
import { expect, it } from "vitest";
import { createOllamaChat, defaultNumCtx } from "../../src/index.ts";
import { startFakeServer } from "../fake-server/index.ts";
import { collect, emptyRequest, modelContract, type RecordedCase } from "../model-contract.ts";
import { conversation, createTestHttp, lsTool } from "../test-request.ts";

const who = "Ollama at http://model.test";
const contextWindow = 4096;

const repeated = (said: string) =>
  `${who} stopped the model because it repeated the same text (${said}). Ask again in other words or in a new session; if it happens often, use a higher repeat_penalty or a larger quantization of the model.`;

const cases: readonly RecordedCase[] = [
  {
    file: "ollama/text.ndjson.txt",
    title: "reads text and token counts",
    events: [
      { type: "text-delta", text: "Grüße, 世界 🌍" },
      { type: "usage", inputTokens: 26, outputTokens: 7, contextWindow },
      { type: "model-end", stopReason: "stop" },
    ],
  },
  {
    file: "ollama/thinking-and-calls.ndjson.txt",
    title: "reads thinking and calls with object arguments, and makes up a missing id",
    events: [
      { type: "reasoning-delta", text: "I should look." },
      { type: "text-delta", text: "Looking." },
      { type: "tool-call-start", index: 0, id: "call_9", name: "ls" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"path":"a"}' },
      { type: "tool-call-start", index: 1, id: "call_2", name: "get_current_time" },
      { type: "tool-call-delta", index: 1, argumentsText: "{}" },
      { type: "tool-call-end", index: 0, id: "call_9", name: "ls", arguments: { path: "a" } },
      { type: "tool-call-end", index: 1, id: "call_2", name: "get_current_time", arguments: {} },
      { type: "usage", inputTokens: 30, outputTokens: 9, contextWindow },
      {
        type: "model-end",
        stopReason: "tool-calls",
        origin: { madeBy: "http://model.test m", thoughtIn: ["thinking"] },
      },
    ],
  },
  {
    file: "ollama/odd-arguments.ndjson.txt",
    title: "takes arguments as text or none, and passes over what is no call",
    events: [
      { type: "tool-call-start", index: 0, id: "call_1", name: "ls" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"path":"a"}' },
      { type: "tool-call-start", index: 1, id: "call_2", name: "ls" },
      { type: "tool-call-delta", index: 1, argumentsText: "{}" },
      { type: "tool-call-end", index: 0, id: "call_1", name: "ls", arguments: '{"path":"a"}' },
      { type: "tool-call-end", index: 1, id: "call_2", name: "ls", arguments: {} },
      { type: "usage", contextWindow },
      { type: "model-end", stopReason: "tool-calls" },
    ],
  },
  {
    file: "ollama/length.ndjson.txt",
    title: "says that the answer hit its limit",
    events: [
      { type: "text-delta", text: "And so" },
      { type: "usage", outputTokens: 2, contextWindow },
      { type: "model-end", stopReason: "length" },
    ],
  },
  {
    file: "ollama/error-after-call.ndjson.txt",
    title: "never ends a call of an answer that fails after it",
    events: [
      { type: "tool-call-start", index: 0, id: "call_1", name: "write_file" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"path":"a"}' },
      {
        type: "model-error",
        code: "server-error",
        message: `${who} reported an error in the middle of its answer: error parsing tool call: unexpected end of JSON input`,
        retryable: true,
        status: 500,
      },
    ],
  },
  {
    file: "ollama/without-done.ndjson.txt",
    title: "takes a missing done for a broken answer",
    events: [
      { type: "text-delta", text: "a" },
      {
        type: "model-error",
        code: "bad-response",
        message: `${who} ended its answer in the middle: the line with "done" never came.`,
        retryable: true,
      },
    ],
  },
  {
    file: "ollama/repeats.ndjson.txt",
    title: "says that the server stopped a model that repeats itself, when it ends without a word on it",
    events: [
      { type: "text-delta", text: `Well${" so".repeat(31)}` },
      {
        type: "model-error",
        code: "bad-response",
        message: repeated('"so", without an end'),
        retryable: false,
      },
    ],
  },
  {
    file: "ollama/few-repeats.ndjson.txt",
    title: "takes a few repeats before the end for a broken answer",
    events: [
      { type: "text-delta", text: `Well${" so".repeat(9)}` },
      {
        type: "model-error",
        code: "bad-response",
        message: `${who} ended its answer in the middle: the line with "done" never came.`,
        retryable: true,
      },
    ],
  },
  {
    file: "ollama/repeat-limit.ndjson.txt",
    title: "says so as well where the server gives it as an error",
    events: [
      { type: "text-delta", text: "so" },
      {
        type: "model-error",
        code: "bad-response",
        message: repeated("prediction aborted, token repeat limit reached"),
        retryable: false,
        status: 500,
      },
    ],
  },
  {
    file: "ollama/nested-error.ndjson.txt",
    title: "shows the message of an error within a text",
    events: [
      { type: "text-delta", text: "Begin" },
      {
        type: "model-error",
        code: "server-error",
        message: `${who} reported an error in the middle of its answer: llama-server chat error: ggml: out of memory`,
        retryable: true,
        status: 500,
      },
    ],
  },
  {
    file: "ollama/cached.ndjson.txt",
    title: "reads how much of the prompt was in the cache",
    events: [
      { type: "text-delta", text: "Yes" },
      { type: "usage", inputTokens: 29, outputTokens: 3, cachedTokens: 20, contextWindow },
      { type: "model-end", stopReason: "stop" },
    ],
  },
  {
    file: "ollama/elsewhere.ndjson.txt",
    title: "names no window for a model that runs elsewhere",
    events: [
      { type: "text-delta", text: "Yes" },
      { type: "usage", inputTokens: 9_000, outputTokens: 3 },
      { type: "model-end", stopReason: "stop" },
    ],
  },
  {
    file: "ollama/other-shapes.ndjson.txt",
    title: "passes over JSON of other shapes",
    events: [
      { type: "text-delta", text: "fine" },
      { type: "usage", contextWindow },
      { type: "model-end", stopReason: "stop" },
    ],
  },
  {
    file: "ollama/plain-body.json.txt",
    title: "reads one JSON body without a line end",
    events: [
      { type: "text-delta", text: "whole" },
      { type: "usage", inputTokens: 3, outputTokens: 1, contextWindow },
      { type: "model-end", stopReason: "stop" },
    ],
  },
  {
    file: "ollama/page.html.txt",
    title: "says that a web page came",
    events: [
      {
        type: "model-error",
        code: "bad-response",
        message: `${who} answered with a web page instead of JSON: the address is wrong, or a proxy or login page answered.`,
        retryable: false,
      },
    ],
  },
];

modelContract(
  "ollama-chat",
  (http) =>
    createOllamaChat({
      provider: "ollama",
      title: "Ollama",
      model: "m",
      http,
      origin: "http://model.test",
      numCtx: contextWindow,
      retry: { tries: 1 },
    }),
  cases,
);

it("ends with an error at a line that is not JSON", async () => {
  await using server = await startFakeServer({
    turns: [
      { text: "Hello, world", faults: [{ kind: "garbage", afterEvents: 1, text: '{"message":{"role' }] },
    ],
  });
  const events = await collect(modelOn(server.origin), emptyRequest);
  expect(events.map((event) => event.type)).toEqual(["text-delta", "model-error"]);
  expect(events[1]).toMatchObject({ code: "bad-response", retryable: true });
});

it("always sets num_ctx, forbids silent loss, and sends no shift, like other clients", async () => {
  await using server = await startFakeServer({ turns: [{ text: "hi" }] });
  await collect(modelOn(server.origin), emptyRequest);
  expect(server.chats[0]?.body).toEqual({
    model: "fake-model",
    messages: [],
    stream: true,
    truncate: false,
    options: { num_ctx: defaultNumCtx, num_predict: defaultNumCtx },
  });
});

it("sends what is configured, and a conversation with object arguments", async () => {
  await using server = await startFakeServer({ turns: [{ text: "hi" }, { text: "again" }] });
  const model = modelOn(server.origin, {
    numCtx: 8192,
    numPredict: 50,
    think: "low",
    keepAlive: "10m",
    format: "json",
    truncate: true,
    shift: true,
    sampling: { temperature: 0 },
  });
  await collect(model, { messages: conversation, tools: [lsTool] });
  expect(server.chats[0]?.body).toEqual({
    model: "fake-model",
    stream: true,
    truncate: true,
    shift: true,
    think: "low",
    keep_alive: "10m",
    format: "json",
    options: { num_ctx: 8192, num_predict: 50, temperature: 0 },
    tools: [{ type: "function", function: lsTool }],
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "List." },
      {
        role: "assistant",
        content: "",
        thinking: "I should list.",
        tool_calls: [
          { id: "call_1", function: { index: 0, name: "ls", arguments: { path: "." } } },
          { id: "call_2", function: { index: 1, name: "ls", arguments: { unreadable: "{broken" } } },
        ],
      },
      { role: "tool", content: "a.txt", tool_name: "ls", tool_call_id: "call_1" },
      { role: "tool", content: "no", tool_name: "ls", tool_call_id: "call_2" },
    ],
  });
});

it("asks again without thinking if the model cannot think, and remembers that", async () => {
  await using server = await startFakeServer({ turns: [{ text: "hi" }], refusesThinking: true });
  const model = modelOn(server.origin, { think: true });
  const types = async () => (await collect(model, emptyRequest)).map((event: ModelEvent) => event.type);
  expect(await types()).toEqual(["model-retry", "text-delta", "usage", "model-end"]);
  expect(await types()).toEqual(["text-delta", "usage", "model-end"]);
});

function modelOn(origin: string, more: object = {}) {
  return createOllamaChat({
    provider: "ollama",
    title: "Ollama",
    model: "fake-model",
    http: createTestHttp(),
    origin,
    retry: { tries: 1 },
    ...more,
  });
}
