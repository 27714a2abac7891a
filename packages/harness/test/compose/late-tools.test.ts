/** Checks which choices of tools offer the tools that are made late. */
import { describe, expect, test } from "vitest";
import { wantsLate, withoutLate } from "../../src/compose/late-tools.ts";

describe.each(["run_agent", "read_skill"] as const)("%s", (tool) => {
  test.each([
    ["all", "yes"],
    ["standard", "when-written"],
    ["ls", "no"],
    [tool, "yes"],
    [["ls", tool], "yes"],
    [["standard", "-bash"], "when-written"],
    [["-bash"], "when-written"],
    [["all", `-${tool}`], "no"],
    [["standard", `-${tool}`], "no"],
  ] as const)("%j: %s", (choice, wanted) => {
    expect(wantsLate(tool, choice)).toBe(wanted);
  });
});

test("the rest of a choice does not name them", () => {
  expect(withoutLate(["all", "run_agent", "-run_agent", "read_skill", "-ls"])).toEqual(["all", "-ls"]);
});
