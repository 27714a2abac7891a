/**
 * Selects the valid rules among the loaded rules, and warns about the invalid rules. An invalid rule may make more calls
 * ask, but never allows a call without a question that would otherwise ask or be denied.
 */
import { defined } from "@localharness/protocol";
import { checkRule, type RiskOfProgram } from "./check-rule.ts";
import type { PolicyRule } from "./rule.ts";

export interface UsableRules {
  readonly rules: readonly PolicyRule[];
  /** Warnings for the person. */
  readonly warnings: readonly string[];
}

/** Returns the valid rules. Drops invalid rules that allow; invalid rules that deny or ask become rules that ask. */
export function usableRules(loaded: readonly PolicyRule[], riskOf: RiskOfProgram): UsableRules {
  const rules: PolicyRule[] = [];
  const warnings: string[] = [];
  for (const rule of loaded) {
    const problems = checkRule(rule, riskOf).map((problem) => `${problem.key}: ${problem.message}`);
    if (problems.length === 0) {
      rules.push(rule);
      continue;
    }
    const said = `the rule ${rule.id} is not used (${problems.join("; ")})`;
    if (rule.decision === "allow") {
      warnings.push(said);
      continue;
    }
    warnings.push(`${said}: until it is right, what it may be about is asked`);
    rules.push(askInstead(rule, said));
  }
  return { rules, warnings };
}

function askInstead(rule: PolicyRule, justification: string): PolicyRule {
  const { id, tool, workspace, origin } = rule;
  return {
    id,
    decision: "ask",
    justification,
    ...defined({ tool, workspace, origin }),
  };
}
