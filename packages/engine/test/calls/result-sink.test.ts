/** Results in the order of the calls, each once. */
import { refusal } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { createResultSink, type SunkResult } from "../../src/calls/result-sink.ts";

const clock = { now: () => 0, monotonic: () => 0 };
const result = (id: string, message = "first"): SunkResult => ({
  id,
  toolName: "look",
  result: refusal("cancelled", message, clock),
  achieved: [],
});

describe("the result sink", () => {
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
  ])("takes %j and hands on %j", (settled, delivered) => {
    const out: string[] = [];
    const sink = createResultSink(["a", "b", "c"], (one) => out.push(one.id));
    for (const id of settled) sink.settle(result(id));
    expect(out).toEqual(delivered);
    expect(sink.delivered.map((one) => one.id)).toEqual(delivered);
    expect(["a", "b", "c"].map((id) => sink.isSettled(id))).toEqual(
      ["a", "b", "c"].map((id) => settled.includes(id)),
    );
  });

  test("keeps the first of two results, handed on or not", () => {
    const sink = createResultSink(["a", "b"], () => undefined);
    for (const id of ["b", "a"]) {
      sink.settle(result(id));
      sink.settle(result(id, "second"));
    }
    expect(sink.delivered.map((one) => one.result.error_message)).toEqual(["first", "first"]);
  });
});
