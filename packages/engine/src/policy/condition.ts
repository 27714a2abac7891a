/** What the conditions of a rule have in common. */
import type { PolicyQuestion, PolicyRule } from "./rule.ts";

/** `unsure` when it cannot be told: of a rule that denies or asks, that is reason to ask. */
export type Match = "yes" | "no" | "unsure";

export interface Condition {
  readonly about: "call" | "command" | "path";
  readonly holds: (question: PolicyQuestion) => Match;
  /** Why it does not hold, or cannot be told. */
  readonly why: (match: Match) => string;
}

/** The names of the tools that a rule is for; undefined for any. */
export function toolsOf(rule: PolicyRule): readonly string[] | undefined {
  const names = rule.tool === undefined ? ["*"] : [rule.tool].flat();
  return names.includes("*") ? undefined : names;
}
