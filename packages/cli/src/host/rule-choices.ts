/** The rules that hold in this workspace, as lines for the person. */
import type { PolicyStore } from "@localharness/engine";
import type { RuleChoice } from "@localharness/terminal";
import { usageError } from "../complaints.ts";
import { ruleLine } from "../policy-file/rule-line.ts";

export async function listRuleChoices(store: PolicyStore): Promise<readonly RuleChoice[]> {
  const { rules } = await store.load();
  return rules.map((rule) => ({
    id: rule.id,
    line: ruleLine(rule),
    forgettable: rule.origin === "user",
  }));
}

export async function forgetRule(store: PolicyStore, id: string): Promise<void> {
  if (!(await store.forget(id))) throw usageError(`there is no rule ${id} of yours`);
}
