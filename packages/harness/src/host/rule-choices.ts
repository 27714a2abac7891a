/**
 * Lists the rules that apply in this workspace and the answers of the session, and removes the person's own rules and
 * answers.
 */
import type { PolicyStore, Session } from "@localharness/engine";
import { usageError } from "@localharness/engine";
import type { RuleChoice } from "@localharness/protocol";
import { ruleWords } from "@localharness/store/policy-file/rule-line";

export async function listRuleChoices(
  store: PolicyStore,
  session: Pick<Session, "answers">,
  here: string,
): Promise<readonly RuleChoice[]> {
  const { rules } = await store.load();
  const answers = session.answers();
  return [...answers, ...rules].map((rule) => {
    const { what, from } = ruleWords(rule, here);
    return {
      id: rule.id,
      line: what,
      about: from,
      elsewhere: rule.workspace !== undefined && rule.workspace !== here,
      forgettable: rule.origin === "user" || rule.origin === "remembered" || answers.includes(rule),
      ofSession: answers.includes(rule),
    };
  });
}

export async function forgetRule(
  store: PolicyStore,
  session: Pick<Session, "takeBackAnswer">,
  id: string,
): Promise<void> {
  const isTaken = session.takeBackAnswer(id);
  const isForgotten = await store.forget(id);
  if (!isTaken && !isForgotten) throw usageError(`you have no rule ${id}`);
}
