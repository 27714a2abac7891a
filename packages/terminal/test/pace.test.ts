/** Checks the measured speed of the model, with events and a fake clock. */
import type { EventBody } from "@localharness/protocol";
import { expect, test } from "vitest";
import { createPace } from "../src/pace.ts";

const ends: readonly EventBody[] = [
  { type: "model-end", stopReason: "stop" },
  { type: "model-error", code: "aborted", message: "", retryable: false },
];

test.each(ends)("keeps the speed after $type", (end) => {
  const pace = createPace();
  const take = (body: EventBody, ms: number) =>
    pace.take({ sessionId: "s", turnId: "t", seq: 1, ...body }, ms);
  take({ type: "text-delta", text: "x".repeat(400) }, 0);
  expect(pace.tokensPerSecond(2_000)).toBe(50);
  take(end, 2_000);
  for (const later of [4_000, 10_000, 60_000]) expect(pace.tokensPerSecond(later)).toBe(50);
});
