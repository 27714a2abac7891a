/** Checks which rules the person can forget in the list of rules. */
import type { PolicyRule, PolicyStore, RuleOrigin } from "@localharness/engine";
import { expect, test } from "vitest";
import { listRuleChoices } from "../../src/host/rule-choices.ts";

function rule(origin: RuleOrigin): PolicyRule {
  return { id: origin, decision: "ask", justification: "", tool: "bash", origin };
}

test("the person can forget own rules and remembered answers, and no others", async () => {
  const rules = (["user", "remembered", "project", "session"] as const).map(rule);
  const store: PolicyStore = {
    load: () => Promise.resolve({ rules, warnings: [] }),
    add: () => Promise.resolve(),
    forget: () => Promise.resolve(false),
  };
  const choices = await listRuleChoices(store);
  expect(choices.filter(({ forgettable }) => forgettable).map(({ id }) => id)).toEqual([
    "user",
    "remembered",
  ]);
});
