/** Compares answers of the person, which are rules, so that a list of them has none that another one covers. */
import type { PolicyRule } from "./rule.ts";

/** Returns true if the answer `wide` allows all calls that the answer `other` allows. Returns false for a rule of another form. */
export function coversAnswer(wide: PolicyRule, other: PolicyRule): boolean {
  if (!isAnswer(wide) || !isAnswer(other) || wide.id === other.id) return false;
  if (wide.workspace !== other.workspace) return false;
  if (wide.tool !== undefined && wide.tool !== other.tool) return false;
  if (wide.scope === undefined) return wide.tool !== undefined;
  return wide.scope === other.scope || wide.scope === other.within;
}

/** Matches the beginnings of the ids of answers. */
export const answerId = /^(?:remember|session):/;
const keys: readonly string[] = [
  ...["id", "decision", "justification", "origin", "created"],
  ...["tool", "workspace", "scope", "within"],
];

/** Returns true for an answer. A person may have added conditions to a remembered one, and it then is a rule like others. */
function isAnswer(rule: PolicyRule): boolean {
  const hasOther = Object.keys(rule).some((key) => !keys.includes(key));
  return rule.decision === "allow" && answerId.test(rule.id) && !hasOther;
}
