/** Checks when a phase of a request is told in a pipe or a log: after 10 s, once, and only while it lasts. */
import type { EventBody, SessionEvent } from "@localharness/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tellPhases } from "../../src/commands/tell-phases.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout", "setImmediate"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const connecting: EventBody = { type: "model-phase", phase: "connecting", atMs: 0 };
const reading: EventBody = { type: "model-phase", phase: "reading", atMs: 2 };
const expected: EventBody = { ...reading, tokens: 9_000, expectedMs: 40_000 };
const thinking: EventBody = { type: "model-phase", phase: "thinking", atMs: 9 };
const progress: EventBody = { type: "prompt-progress", totalTokens: 900, cachedTokens: 0, doneTokens: 300 };
const thought: EventBody = { type: "reasoning-delta", text: "Hm." };
const end: EventBody = { type: "model-end", stopReason: "stop" };

test.each<[string, readonly (EventBody | number)[], readonly string[]]>([
  ["a short phase is not told", [reading, 9_999, end, 60_000], []],
  ["a long phase is told once", [reading, 60_000, end], ["reading the prompt, 10 s"]],
  ["a phase that is reported again goes on", [reading, 6_000, reading, 6_000], ["reading the prompt, 10 s"]],
  [
    "with the share that is expected",
    [expected, 10_001],
    ["reading the prompt: about 25 % of 9,000 tokens, 10 s"],
  ],
  [
    "with the progress of the server",
    [reading, progress, 10_001],
    ["reading the prompt: 300 of 900 tokens, 10 s"],
  ],
  [
    "each long phase, also of the next request",
    [connecting, 11_000, reading, 1_000, thinking, 5_000, thought, 6_000, end, reading, 11_000, end],
    ["connecting to the server, 10 s", "thinking, 10 s", "reading the prompt, 10 s"],
  ],
])("%s", (_what, played, told) => {
  const lines: string[] = [];
  let listener: (event: SessionEvent) => void = () => undefined;
  const subscribe = (next: typeof listener) => {
    listener = next;
    return () => undefined;
  };
  tellPhases({ subscribe }, (line) => lines.push(line));
  for (const one of played) {
    if (typeof one === "number") vi.advanceTimersByTime(one);
    else listener({ sessionId: "s", turnId: "t", seq: 1, ...one });
  }
  expect(lines).toEqual(told);
});
