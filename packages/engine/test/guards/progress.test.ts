/** Progress: achievements and new information, as data. */
import type { ToolErrorType } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { afterIteration, type CallOutcome, isStuck, noProgressYet } from "../../src/guards/progress.ts";

function outcome(
  data: string | null,
  errorType: ToolErrorType = "none",
  achieved: CallOutcome["achieved"] = [],
): CallOutcome {
  const metadata = { execution_time_ms: 0, data_size_bytes: 0, timestamp: 0 };
  const success = errorType === "none";
  return {
    achieved,
    result: { success, data, error_message: success ? null : "no", error_type: errorType, metadata },
  };
}

const idleAfter = (iterations: readonly (readonly CallOutcome[])[]) =>
  iterations.reduce(afterIteration, noProgressYet).idle;
const denied = outcome(null, "permission_denied");

describe("Ralph: progress is measured by what tools achieved and by new information", () => {
  test.each<readonly [string, readonly (readonly CallOutcome[])[], number]>([
    ["nothing yet", [], 0],
    ["an iteration without calls", [[]], 1],
    ["a new result", [[outcome("a")]], 0],
    ["the same result again", [[outcome("a")], [outcome("a")], [outcome("a")]], 2],
    ["a result that came in between", [[outcome("a")], [outcome("b")], [outcome("a")]], 1],
    ["one new result among old ones", [[outcome("a")], [outcome("a"), outcome("b")]], 0],
    ["failures without output", [[denied], [denied]], 2],
    [
      "a failed run with new output",
      [[outcome("1 failed", "io_error")], [outcome("2 failed", "io_error")]],
      0,
    ],
    [
      "a failed run with the same output",
      [[outcome("1 failed", "io_error")], [outcome("1 failed", "io_error")]],
      1,
    ],
    [
      "something achieved, with an old result",
      [[outcome("ok")], [outcome("ok", "none", [{ kind: "wrote", subject: "a" }])]],
      0,
    ],
    ["progress after none", [[denied], [denied], [outcome("new")], [denied]], 1],
  ])("%s: idle for the stated count", (_title, iterations, idle) => {
    expect(idleAfter(iterations)).toBe(idle);
  });

  test.each([
    [4, false],
    [5, true],
    [6, true],
  ])("after %i idle iterations it is stuck: %s", (count, stuck) => {
    const progress = Array.from({ length: count }, () => [denied]).reduce(afterIteration, noProgressYet);
    expect(isStuck(progress)).toBe(stuck);
    expect(isStuck({ ...progress, warned: true })).toBe(false);
  });
});
