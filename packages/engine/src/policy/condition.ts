/** One condition of a rule: whether it holds for a call, and why not. */
import type { PolicyQuestion, PolicyRule } from "./rule.ts";

/** `unsure` when it is not known whether the condition holds. A rule that denies or asks then asks. */
export type Match = "yes" | "no" | "unsure";

export interface Condition {
  readonly about: "call" | "command" | "path";
  readonly holds: (question: PolicyQuestion) => Match;
  /** Returns why it does not hold, or why that is not known. */
  readonly why: (match: Match) => string;
}

/** Returns the names of the tools that a rule is for; undefined for any tool. */
export function toolsOf(rule: PolicyRule): readonly string[] | undefined {
  const names = rule.tool === undefined ? ["*"] : [rule.tool].flat();
  return names.includes("*") ? undefined : names;
}
