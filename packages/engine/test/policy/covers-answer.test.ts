/** Checks which remembered answers a new one replaces. */
import { expect, test } from "vitest";
import { coversAnswer } from "../../src/policy/covers-answer.ts";
import type { PolicyRule } from "../../src/policy/rule.ts";

const answer = (id: string, more: Partial<PolicyRule> = {}): PolicyRule => ({
  id: `remember:${id}`,
  decision: "allow",
  justification: "you chose Remember",
  tool: "bash",
  workspace: "/w",
  ...more,
});
const wide = answer("wide", { scope: "any" });

test.each<readonly [string, PolicyRule, PolicyRule, boolean]>([
  ["one call of the wider scope", wide, answer("a", { scope: "x", within: "any" }), true],
  ["the same scope again", wide, answer("a", { scope: "any" }), true],
  ["a call of another scope", wide, answer("a", { scope: "x", within: "other" }), false],
  ["a call of which no wider scope is known", wide, answer("a", { scope: "x" }), false],
  ["the whole tool", wide, answer("a"), false],
  ["one call, by an answer to the whole tool", answer("all"), answer("a", { scope: "x" }), true],
  ["another tool", answer("all"), answer("a", { tool: "other", scope: "x" }), false],
  ["another workspace", wide, answer("a", { scope: "any", workspace: "/v" }), false],
  ["a kind by any tool", { ...wide, tool: undefined } as never, answer("a", { scope: "any" }), true],
  ["a rule that the person wrote", wide, { ...answer("a", { scope: "any" }), id: "mine" }, false],
  ["a rule that denies", wide, answer("a", { scope: "any", decision: "deny" }), false],
  ["an answer with another condition", { ...wide, risk: "low" }, answer("a", { scope: "any" }), false],
  ["itself", wide, wide, false],
])("%s", (_title, one, other, covers) => {
  expect(coversAnswer(one, other)).toBe(covers);
});
