/** Invalid rules: none of them makes the policy allow more. */
import { decide, type PolicyRule, usableRules } from "@localharness/engine";
import { expect, test } from "vitest";
import { plainQuestion, riskOf, rule } from "./ask-about.ts";

const wrong: Partial<PolicyRule> = {
  examples: { matches: [{ tool: "other" }] },
  tool: "write_file",
  workspace: "/w",
};

test("a rule that is right stays as it is", () => {
  const rules = [rule("allow", { tool: "ls" }), rule("deny", { path: ".env" })];
  expect(usableRules(rules, riskOf)).toEqual({ rules, warnings: [] });
});

test("an allow with a problem is not used, and said", () => {
  expect(usableRules([rule("allow", wrong)], riskOf)).toEqual({
    rules: [],
    warnings: [
      'the rule allow-rule is not used (examples: it does not match its own example: {"tool":"other"})',
    ],
  });
});

test("an allow of the project is not used, and said", () => {
  expect(usableRules([rule("allow", { origin: "project" })], riskOf)).toEqual({
    rules: [],
    warnings: [
      "the rule allow-rule is not used (decision: a rule of the project can deny and ask, not allow)",
    ],
  });
});

test.each(["deny", "ask"] as const)(
  "of a %s with a problem all that it may be about is asked",
  (decision) => {
    const { rules, warnings } = usableRules(
      [rule(decision, { ...wrong, risk: "low", origin: "project" })],
      riskOf,
    );
    expect(warnings).toEqual([
      expect.stringMatching(/^the rule .+ is not used .+: until it is right, what it may be about is asked$/),
    ]);
    for (const mode of ["default", "bypass"] as const)
      expect(decide({ ...plainQuestion, mode }, rules)).toMatchObject({
        decision: "ask",
        rule: `${decision}-rule`,
      });
    expect(decide({ ...plainQuestion, tool: "ls", risk: "safe" }, rules).decision).toBe("allow");
    expect(decide({ ...plainQuestion, workspace: "/x", mode: "bypass" }, rules).decision).toBe("allow");
  },
);
