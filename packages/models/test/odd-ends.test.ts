/** Ends of answers that are neither normal nor the limit of length are told by the server's own word. */
import type { ModelEvent } from "@localharness/protocol";
import { describe, expect, it, test } from "vitest";
import { createCallIds } from "../src/answer/call-ids.ts";
import { createOpenaiChat, replayHttp } from "../src/index.ts";
import { createOllamaReader } from "../src/wire/ollama/reader.ts";
import { OpenaiReader } from "../src/wire/openai/reader.ts";
import { collect, emptyRequest } from "./model-contract.ts";

function openai(deltas: readonly object[], finish: string | null): readonly ModelEvent[] {
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ delta }] })),
    { choices: [{ delta: {}, finish_reason: finish }] },
  ];
  const reader = new OpenaiReader("Test", createCallIds([]));
  const text = `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
  return [...reader.push(text), ...reader.end()];
}

function ollama(messages: readonly object[], finish: unknown): readonly ModelEvent[] {
  const lines = [
    ...messages.map((message) => ({ message })),
    { message: { content: "" }, done: true, ...(finish === null ? {} : { done_reason: finish }) },
  ];
  const reader = createOllamaReader({
    who: "Test",
    contextWindow: 4096,
    ids: createCallIds([]),
    maxCalls: 10,
    madeBy: "m",
  });
  return [...reader.push(lines.map((line) => `${JSON.stringify(line)}\n`).join("")), ...reader.end()];
}

const said = [{ content: "so" }];

describe.each([
  ["openai", openai],
  ["ollama", ollama],
] as const)("over %s", (_wire, read) => {
  it.each(["content_filter", "SAFETY", "error", "abort", "unload", "frob"])("%s has its name", (finish) => {
    expect(read(said, finish).at(-1)).toEqual({ type: "model-end", stopReason: "other", reason: finish });
  });

  it.each(["stop", "STOP", "eos", "tool_call", "completed"])("%s is normal", (finish) => {
    expect(read(said, finish).at(-1)).toEqual({ type: "model-end", stopReason: "stop" });
  });

  it.each(["length", "max_output_tokens", "model_context_window_exceeded"])("%s is a limit", (finish) => {
    expect(read(said, finish).at(-1)).toEqual({ type: "model-end", stopReason: "length" });
  });
});

it.each(["error", "abort", "network_error", "MALFORMED_FUNCTION_CALL"])(
  "%s before anything was sent is a failure that may be tried again",
  (finish) => {
    expect(openai([], finish)).toEqual([
      expect.objectContaining({ type: "model-error", code: "server-error", retryable: true }),
    ]);
  },
);

it("a filter before anything was sent is an end", () => {
  expect(openai([], "content_filter")).toEqual([
    { type: "model-end", stopReason: "other", reason: "content_filter" },
  ]);
});

it("whole calls stay calls, with the reason", () => {
  const call = { index: 0, id: "x", function: { name: "ls", arguments: "{}" } };
  expect(openai([{ tool_calls: [call] }], "abort").at(-1)).toEqual({
    type: "model-end",
    stopReason: "tool-calls",
    reason: "abort",
  });
});

test("that a server gives no reason is told once for each model", async () => {
  const body = `data: ${JSON.stringify({ choices: [{ delta: { content: "so" } }] })}\n\ndata: [DONE]\n\n`;
  const exchange = { url: "", status: 200, headers: {}, parts: [body] };
  const exchanges = [exchange, { ...exchange }];
  const http = replayHttp({ provider: "custom", baseUrl: "", model: "m", exchanges });
  const model = createOpenaiChat({
    provider: "custom",
    title: "T",
    model: "m",
    http,
    baseUrl: "http://a/v1",
  });
  const end = { type: "model-end", stopReason: "stop" };
  expect((await collect(model, emptyRequest)).at(-1)).toEqual({ ...end, reason: "" });
  expect((await collect(model, emptyRequest)).at(-1)).toEqual(end);
});
