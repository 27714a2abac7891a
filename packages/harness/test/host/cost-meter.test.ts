/** Checks the costs of a session, counted from its events. */
import type { EventBody, SessionEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import { createCostMeter } from "../../src/host/cost-meter.ts";

function play(bodies: readonly (EventBody | number)[]) {
  let time = 0;
  const meter = createCostMeter("first", () => time);
  let seq = 0;
  for (const body of bodies) {
    if (typeof body === "number") time += body;
    else meter.take({ sessionId: "s", turnId: "t", seq: ++seq, ...body } as SessionEvent);
  }
  return meter;
}

const result: EventBody = {
  type: "tool-result",
  callId: "1",
  toolName: "ls",
  display: "",
  result: {
    success: true,
    data: "",
    error_message: null,
    error_type: "none",
    metadata: { execution_time_ms: 7, data_size_bytes: 0, timestamp: 0 },
  },
};

test("requests, tokens and time of each model; tools beside them", () => {
  const meter = play([
    { type: "iteration-start", iteration: 1 },
    100,
    { type: "usage", inputTokens: 700, outputTokens: 5, cachedTokens: 512 },
    { type: "model-end", stopReason: "tool-calls" },
    result,
    { type: "agent-usage", callId: "2", agent: "a", model: "third", outputTokens: 9, durationMs: 30 },
    { type: "agent-usage", callId: "2", agent: "a", model: "first", inputTokens: 100, durationMs: 20 },
    result,
    { type: "model-changed", model: "second", provider: "ollama" },
    { type: "iteration-start", iteration: 2 },
    50,
    { type: "model-error", code: "timeout", message: "", retryable: true },
  ]);
  expect(meter.report({})).toEqual({
    models: [
      { model: "first", requests: 2, inputTokens: 800, cachedTokens: 512, outputTokens: 5, ms: 120 },
      { model: "third", requests: 1, inputTokens: 0, cachedTokens: 0, outputTokens: 9, ms: 30 },
      { model: "second", requests: 1, inputTokens: 0, cachedTokens: 0, outputTokens: 0, ms: 50 },
    ],
    toolCalls: 2,
    toolMs: 14,
  });
  expect(meter.report({ input: 1_000, output: 10_000 }).money).toBeCloseTo(0.94);
  expect(meter.report({ output: 10_000 }).money).toBeCloseTo(0.14);
});
