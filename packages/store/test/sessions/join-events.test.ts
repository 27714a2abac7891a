/** Checks which events are written, and that the lines still cover the `seq` of all of them. */
import type { EventBody } from "@localharness/protocol";
import { expect, test } from "vitest";
import { createEventJoiner } from "../../src/sessions/join-events.ts";

const shownOnly: readonly EventBody[] = [
  { type: "prompt-progress", totalTokens: 9, cachedTokens: 0, doneTokens: 3 },
  { type: "model-phase", phase: "reading", atMs: 3, tokens: 900 },
  { type: "tool-call-delta", index: 0, argumentsText: "{" },
  { type: "tool-progress", callId: "c", text: "half" },
];

test.each(shownOnly)("$type is not written, and is counted by the line after it", (body) => {
  const joiner = createEventJoiner({ mask: (text) => text, secrets: [] }, 0);
  const end: EventBody = { type: "model-end", stopReason: "stop" };
  const lines = [body, body, end].flatMap((one, at) =>
    joiner.push({ sessionId: "s", turnId: "t", seq: at + 1, ...one }),
  );
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { seq: 3, first: 1, time: expect.any(Number), turnId: "t", type: "model-end", stopReason: "stop" },
  ]);
});
