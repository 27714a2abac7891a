/** The record of a call: its states, and results in the order of the calls, each once. */
import { createRegistry, refusal, systemClock } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import {
  advance,
  type CallInWork,
  type CallsInWork,
  callIn,
  deliverable,
  resultsOf,
  takeCalls,
} from "../../src/calls/call-in-work.ts";
import { prepareCall } from "../../src/calls/prepare-call.ts";
import { makeTool } from "../make-tool.ts";

const registry = createRegistry([makeTool({ name: "look" })]);
const around = { registry, clock: systemClock, mode: "default", workspace: "/w" } as const;
const clock = { now: () => 0, monotonic: () => 0 };

/** Takes one call of each path, in this order. */
function take(...paths: readonly string[]): CallsInWork {
  const calls = paths.map((path) => ({ id: path, name: "look", arguments: { path } }));
  return takeCalls(calls, (call) => prepareCall(call, around));
}

function ended(calls: CallsInWork, id: string, message = "first"): CallInWork {
  const { raw } = calls.get(id) ?? { raw: { id, name: "look", arguments: {} } };
  const result = refusal("cancelled", message, clock);
  return { state: "ended", raw, end: { id, toolName: "look", result, achieved: [] } };
}

/** Ends the call and returns the ids of the results that can then be delivered. */
function end(calls: CallsInWork, id: string, message?: string): readonly string[] {
  if (!advance(calls, ended(calls, id, message))) return [];
  return deliverable(calls, id).map((one) => one.id);
}

describe("results", () => {
  test.each([
    [
      ["a", "b", "c"],
      ["a", "b", "c"],
    ],
    [
      ["c", "b", "a"],
      ["a", "b", "c"],
    ],
    [
      ["b", "a"],
      ["a", "b"],
    ],
    [["c"], []],
    [
      ["a", "a", "b", "b"],
      ["a", "b"],
    ],
  ])("of calls that end as %j are delivered as %j", (ends, delivered) => {
    const calls = take("a", "b", "c");
    expect(ends.flatMap((id) => end(calls, id))).toEqual(delivered);
    expect(resultsOf(calls).map((one) => one.id)).toEqual([...new Set(ends)].sort());
  });

  test("are the first of two, delivered or not", () => {
    const calls = take("a", "b");
    for (const id of ["b", "a"]) {
      end(calls, id);
      end(calls, id, "second");
    }
    expect(resultsOf(calls).map((one) => one.result.error_message)).toEqual(["first", "first"]);
  });
});

describe("states", () => {
  test("are those of calls that can run, that repeat another call, and that cannot run", () => {
    const made = ["look", "look", "gone"].map((name, id) => ({ id: `${id}`, name, arguments: {} }));
    const calls = takeCalls(made, (call) => prepareCall(call, around));
    expect([...calls.values()].map(({ state }) => state)).toEqual(["prepared", "repeats", "invalid"]);
  });

  test("that cannot follow are a defect", () => {
    const calls = take("a");
    const { raw, call } = callIn(calls, "a", "prepared");
    expect(() => advance(calls, { state: "running", raw, call })).toThrow(
      "the call a is prepared and cannot become running",
    );
    expect(() => callIn(calls, "a", "allowed")).toThrow("the call a is prepared, not allowed");
    expect(() => callIn(calls, "b", "asked")).toThrow("the batch has no call b");
  });

  test("do not change once the call has ended", () => {
    const calls = take("a");
    const { raw, call } = callIn(calls, "a", "prepared");
    end(calls, "a");
    expect(advance(calls, { state: "asked", raw, call, question: call.question })).toBe(false);
    expect(calls.get("a")?.state).toBe("ended");
  });
});
