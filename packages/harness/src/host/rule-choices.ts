/** Lists the rules that apply in this workspace, and removes rules of the person. */
import type { PolicyStore } from "@localharness/engine";
import { usageError } from "@localharness/engine";
import type { RuleChoice } from "@localharness/protocol";
import { ruleLine } from "@localharness/store/policy-file/rule-line";

export async function listRuleChoices(store: PolicyStore): Promise<readonly RuleChoice[]> {
  const { rules } = await store.load();
  return rules.map((rule) => ({
    id: rule.id,
    line: ruleLine(rule),
    forgettable: rule.origin === "user" || rule.origin === "remembered",
  }));
}

export async function forgetRule(store: PolicyStore, id: string): Promise<void> {
  if (!(await store.forget(id))) throw usageError(`you have no rule ${id}`);
}
