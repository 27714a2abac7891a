/** Checks the measured speed of the model, with events and a fake clock. */
import type { EventBody, SessionEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import { createPace } from "../src/pace.ts";

const ends: readonly EventBody[] = [
  { type: "model-end", stopReason: "stop" },
  { type: "model-error", code: "aborted", message: "", retryable: false },
];

test("counts the time of each step, without the time in which the person is asked", () => {
  const pace = createPace();
  const take = (type: string, ms: number) =>
    pace.take({ sessionId: "s", turnId: "t", seq: 1, type } as unknown as SessionEvent, ms);
  take("turn-start", 1_000);
  expect(pace.stepMs(1_500)).toBe(500);
  take("iteration-start", 2_000);
  take("permission-request", 5_000);
  take("permission-answer", 60_000);
  take("tool-start", 60_100);
  expect(pace.stepMs(61_100)).toBe(1_000);
  take("tool-result", 62_000);
  expect(pace.stepMs(62_000)).toBe(0);
});

test("shows no speed for a few tokens", () => {
  const pace = createPace();
  const take = (body: EventBody, ms: number) =>
    pace.take({ sessionId: "s", turnId: "t", seq: 1, ...body }, ms);
  take({ type: "text-delta", text: "x".repeat(40) }, 0);
  expect(pace.tokensPerSecond(5_000)).toBeUndefined();
});

test.each(ends)("keeps the speed after $type", (end) => {
  const pace = createPace();
  const take = (body: EventBody, ms: number) =>
    pace.take({ sessionId: "s", turnId: "t", seq: 1, ...body }, ms);
  take({ type: "text-delta", text: "x".repeat(400) }, 0);
  expect(pace.tokensPerSecond(2_000)).toBe(50);
  take(end, 2_000);
  for (const later of [4_000, 10_000, 60_000]) expect(pace.tokensPerSecond(later)).toBe(50);
});

test("estimates the window after a compaction until the server counts again", () => {
  const pace = createPace();
  const take = (body: EventBody) => pace.take({ sessionId: "s", turnId: "t", seq: 1, ...body }, 0);
  take({ type: "usage", inputTokens: 7_000, outputTokens: 600 });
  take({ type: "compaction", shortened: [], charsBefore: 20_000, charsAfter: 5_000 });
  expect(pace.windowUsed()).toBe(1_900);
  take({ type: "usage", inputTokens: 2_000, outputTokens: 10 });
  expect(pace.windowUsed()).toBe(2_010);
});
