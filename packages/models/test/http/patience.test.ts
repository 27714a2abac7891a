/** Tests the time limits of an answer on a fake clock. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createPatience, type Patience } from "../../src/http/patience.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Step = "atWork" | "token" | number;

it.each<{ steps: Step[]; expired: Patience["expired"] }>([
  { steps: [99], expired: undefined },
  { steps: [100], expired: "first-token" },
  { steps: [99, "atWork", 99, "atWork", 99], expired: undefined },
  { steps: [99, "atWork", 100], expired: "first-token" },
  { steps: [99, "token", 9], expired: undefined },
  { steps: [99, "token", 10], expired: "next-token" },
  // After the first token only tokens restart the limit.
  { steps: ["token", 9, "atWork", 1], expired: "next-token" },
])("$steps: $expired", ({ steps, expired }) => {
  const limits = { firstTokenMs: 100, betweenTokensMs: 10, refusalMs: 0 };
  using patience = createPatience(limits, new AbortController().signal);
  for (const step of steps) {
    if (typeof step === "number") vi.advanceTimersByTime(step);
    else patience[step]();
  }
  expect(patience.expired).toBe(expired);
  expect(patience.signal.aborted).toBe(expired !== undefined);
});
