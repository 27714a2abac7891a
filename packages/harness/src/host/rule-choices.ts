/** The rules that hold in this workspace, as lines for the person. */
import type { PolicyStore } from "@localharness/engine";
import { usageError } from "@localharness/engine";
import type { RuleChoice } from "@localharness/protocol";
import { ruleLine } from "@localharness/store/policy-file/rule-line";

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
