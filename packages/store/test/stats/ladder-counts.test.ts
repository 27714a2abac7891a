import type { EventBody, SessionEvent, ToolResult } from "@localharness/protocol";
import { expect, test } from "vitest";
import {
  addCounts,
  countEvent,
  emptyLadder,
  hasCalls,
  type LadderCounts,
  noCounts,
} from "../../src/stats/ladder-counts.ts";

function fold(bodies: readonly EventBody[]): LadderCounts {
  const events = bodies.map(
    (body, at): SessionEvent => ({ sessionId: "s", turnId: "t", seq: at + 1, ...body }),
  );
  return events.reduce(countEvent, emptyLadder).counts;
}

const start = (index: number): EventBody => ({ type: "tool-call-start", index, id: `c${index}`, name: "ls" });
const end = (index: number, more: object = {}): EventBody => ({
  type: "tool-call-end",
  index,
  id: `c${index}`,
  name: "ls",
  arguments: {},
  ...more,
});
const error: EventBody = { type: "tool-call-error", index: 0, raw: "<x", reason: "incomplete", message: "" };
const modelEnd: EventBody = { type: "model-end", stopReason: "tool-calls" };
const toolStart = (notes?: readonly string[]): EventBody => ({
  type: "tool-start",
  callId: "c0",
  toolName: "ls",
  arguments: {},
  ...(notes === undefined ? {} : { notes }),
});
const result = (error_type: ToolResult["error_type"]): EventBody => ({
  type: "tool-result",
  callId: "c0",
  toolName: "ls",
  display: "",
  result: {
    success: error_type === "none",
    data: null,
    error_message: null,
    error_type,
    metadata: { execution_time_ms: 0, data_size_bytes: 0, timestamp: 0 },
  },
});
const turnEnd = (code?: string): EventBody => ({
  type: "turn-end",
  reason: code === undefined ? "done" : "error",
  denied: 0,
  ...(code === undefined ? {} : { code }),
});

const cases: readonly [string, readonly EventBody[], Partial<LadderCounts>][] = [
  [
    "a native call beside one in text that was withdrawn",
    [start(0), { type: "tool-call-withdrawn", index: 0 }, start(1), end(1), modelEnd],
    { native: 1 },
  ],
  ["a native call as it came", [start(0), end(0), modelEnd], { native: 1 }],
  [
    "a native call whose arguments were mended",
    [start(0), end(0, { repairs: ["trailing-comma"] })],
    { repaired: 1 },
  ],
  ["a call from text", [start(0), end(0, { format: "hermes" }), modelEnd], { fromText: 1 }],
  [
    "a call from text that was mended",
    [end(0, { format: "hermes", repairs: ["missing-end-tag"] }), modelEnd],
    { fromText: 1, fromTextRepaired: 1 },
  ],
  [
    "arguments that were typed",
    [end(0), toolStart(["line: read the string"]), result("none")],
    { native: 1, coerced: 1 },
  ],
  [
    "arguments that were typed while they were read from text, once",
    [end(0, { format: "glm", repairs: ["typed-value"] }), toolStart(["unknown key"])],
    { fromText: 1, coerced: 1 },
  ],
  ["arguments that fitted", [end(0), toolStart(), result("none")], { native: 1 }],
  ["a call that cannot be read", [start(0), error, modelEnd], { corrected: 1 }],
  ["two calls that broke off", [start(0), start(1), modelEnd], { corrected: 2 }],
  [
    "calls of an answer that failed",
    [
      start(0),
      { ...modelEnd, type: "model-error", code: "aborted", message: "", retryable: false },
      modelEnd,
    ],
    {},
  ],
  ["arguments that do not fit", [end(0), modelEnd, result("validation_failed")], { native: 1, corrected: 1 }],
  ["a tool that there is not", [end(0), modelEnd, result("not_found")], { native: 1, corrected: 1 }],
  ["what a tool itself refuses", [end(0), toolStart(), result("validation_failed")], { native: 1 }],
  ["a call that was denied", [end(0), result("permission_denied")], { native: 1 }],
  ["turns", [turnEnd(), turnEnd("loop")], { turns: 2 }],
  [
    "a turn that ends on a call that cannot be read",
    [error, turnEnd("unreadable-call")],
    { corrected: 1, turns: 1, deadEnds: 1 },
  ],
  [
    "text alone",
    [
      { type: "text-delta", text: "hi" },
      { type: "model-end", stopReason: "stop" },
    ],
    {},
  ],
];

test.each(cases)("counts %s", (_title, events, counts) => {
  expect(fold(events)).toEqual({ ...noCounts, ...counts });
});

test("events that change nothing leave the same object", () => {
  const event: SessionEvent = { sessionId: "s", turnId: "t", seq: 1, type: "text-delta", text: "x" };
  expect(countEvent(emptyLadder, event)).toBe(emptyLadder);
});

test("counts add up, and turns alone are no calls", () => {
  const one = { ...noCounts, turns: 1, native: 2 };
  expect(addCounts(one, { ...noCounts, native: 3, corrected: 1 })).toEqual({
    ...one,
    native: 5,
    corrected: 1,
  });
  expect([hasCalls({ ...noCounts, turns: 4 }), hasCalls(one)]).toEqual([false, true]);
});
