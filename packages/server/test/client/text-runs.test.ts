import type { SessionEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import { createTextRuns } from "../../src/client/text-runs.ts";

const text = (seq: number, words: string) =>
  ({ type: "text-delta", text: words, sessionId: "s", turnId: "t", seq }) as SessionEvent;
const other = (seq: number) => ({ type: "turn-start", sessionId: "s", turnId: "t", seq }) as SessionEvent;
const phase = (seq: number) => ({ type: "model-phase", sessionId: "s", turnId: "t", seq }) as SessionEvent;

test.each([
  [
    "a joined delta of which the beginning was had",
    [other(1), text(2, "ab")],
    [other(1), text(4, "abcd")],
    2,
    "cd",
  ],
  [
    "a delta that was had whole",
    [other(1), text(2, "ab")],
    [other(1), text(2, "ab"), text(4, "cd")],
    2,
    "cd",
  ],
  [
    "a part that came joined",
    [other(1), text(2, "ab"), text(3, "cd")],
    [other(1), text(2, "ab"), text(5, "cdef")],
    3,
    "ef",
  ],
  [
    "a delta after an event that no saved session has",
    [other(1), text(2, "ab"), phase(3), text(4, "cd")],
    [other(1), text(5, "abcdef")],
    4,
    "ef",
  ],
  ["another run", [text(1, "ab"), other(2)], [text(1, "ab"), other(2), text(3, "ab")], 2, "ab"],
])("%s", (_, had, again, last, rest) => {
  const runs = createTextRuns();
  runs.begin(true);
  for (const event of had) runs.pass(event);
  runs.begin(true);
  const passed = again.flatMap((event) => {
    if (event.seq > last) return [runs.pass(event)];
    runs.repeat(event);
    return [];
  });
  expect(passed.map((event) => (event.type === "text-delta" ? event.text : ""))).toEqual([rest]);
});
