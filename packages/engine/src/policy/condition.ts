/** Declares one condition of a rule, with the reason why it does not hold for a call. */
import type { PolicyQuestion, PolicyRule } from "./rule.ts";

/** Says if a condition holds. `unsure` means that this is unknown; a rule that denies or asks then asks. */
export type Match = "yes" | "no" | "unsure";

export interface Condition {
  readonly about: "call" | "command" | "path";
  readonly holds: (question: PolicyQuestion) => Match;
  /** Returns the reason why the condition does not hold, or why that is unknown. */
  readonly why: (match: Match) => string;
}

/** Returns the names of the tools to which a rule applies; undefined for all tools. */
export function toolsOf(rule: PolicyRule): readonly string[] | undefined {
  const names = rule.tool === undefined ? ["*"] : [rule.tool].flat();
  return names.includes("*") ? undefined : names;
}
