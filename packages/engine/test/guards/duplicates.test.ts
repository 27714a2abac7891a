/** The memory of calls: canonical arguments, the last ten calls, comparison with the last three. */
import type { JsonObject, ToolResult } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import {
  type CallMemory,
  callKey,
  canonicalJson,
  duplicateStep,
  earlierCall,
  noCallsYet,
  noteChange,
  remember,
  sameFingerprint,
  sameOutcome,
} from "../../src/guards/duplicates.ts";

const result = (data: string): ToolResult => ({
  success: true,
  data,
  error_message: null,
  error_type: "none",
  metadata: { execution_time_ms: 0, data_size_bytes: 0, timestamp: 0 },
});
const recall = (keys: readonly string[]) =>
  keys.reduce<CallMemory>(
    (memory, key) => (key === "*" ? noteChange(memory) : remember(memory, key, result(key), undefined)),
    noCallsYet,
  );

describe("Ralph: the last 10 calls are remembered by canonical arguments", () => {
  test.each<readonly [JsonObject, JsonObject, boolean]>([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: { c: [1, { x: 1, y: 2 }], b: null } }, { a: { b: null, c: [1, { y: 2, x: 1 }] } }, true],
    [{ a: [1, 2] }, { a: [2, 1] }, false],
    [{ a: "1" }, { a: 1 }, false],
    [{}, { a: null }, false],
    [{ a: "x,b" }, { a: "x", b: "" }, false],
  ])("%j and %j are the same call: %s", (one, other, same) => {
    expect(callKey("ls", one) === callKey("ls", other)).toBe(same);
  });

  test("another tool is another call", () => {
    expect(callKey("ls", {})).not.toBe(callKey("cat", {}));
    expect(canonicalJson(["a", null, true])).toBe('["a",null,true]');
  });

  test("ten are kept, the newest", () => {
    const keys = Array.from({ length: 14 }, (_, index) => `k${index}`);
    expect(recall(keys).calls.map((call) => call.key)).toEqual(keys.slice(4));
  });

  test.each<readonly [string, readonly string[], string, boolean]>([
    ["the last call", ["a"], "a", true],
    ["the one before (A B A B)", ["a", "b"], "a", true],
    ["the third from the end", ["a", "b", "c"], "a", true],
    ["the fourth from the end", ["a", "b", "c", "d"], "a", false],
    ["another call", ["b"], "a", false],
    ["a call before something changed", ["a", "*"], "a", false],
    ["a call after something changed", ["*", "a"], "a", true],
    ["nothing", [], "a", false],
  ])("%s counts as earlier or not", (_title, keys, key, found) => {
    expect(earlierCall(recall(keys), key) !== undefined).toBe(found);
  });

  test("the steps are: answer again, instruct, end the iteration, end it again", () => {
    let memory = remember(noCallsYet, "a", result("first"), undefined);
    const steps: string[] = [];
    for (let time = 0; time < 4; time += 1) {
      const earlier = earlierCall(memory, "a");
      if (earlier === undefined) throw new Error("the call was forgotten");
      steps.push(duplicateStep(earlier).kind);
      memory = remember(memory, "a", result("an instruction"), undefined, earlier);
      expect(earlierCall(memory, "a")?.result.data).toBe("first");
    }
    expect(steps).toEqual(["answer-again", "instruct", "end-iteration", "end-iteration"]);
  });

  test.each([
    [undefined, undefined, false],
    ["1", undefined, false],
    [undefined, "1", false],
    ["1", "2", false],
    ["1", "1", true],
  ])("fingerprints %s and %s are the same: %s", (before, now, same) => {
    const [call] = remember(noCallsYet, "a", result(""), before).calls;
    expect(call !== undefined && sameFingerprint(call, now)).toBe(same);
  });

  test("outcomes are compared by what the model reads, not by time", () => {
    const later = { ...result("a"), metadata: { execution_time_ms: 9, data_size_bytes: 1, timestamp: 9 } };
    expect(sameOutcome(result("a"), later)).toBe(true);
    expect(sameOutcome(result("a"), result("b"))).toBe(false);
    expect(sameOutcome(result("a"), { ...result("a"), success: false })).toBe(false);
    expect(sameOutcome(result("a"), { ...result("a"), error_message: "x" })).toBe(false);
  });
});
