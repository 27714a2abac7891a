/** Whether a call may run: deny over ask over allow among the rules that match, then the mode, then the risk. */
import type { Risk } from "@localharness/protocol";
import type { Decision, PolicyQuestion, PolicyRule } from "./rule.ts";

export interface ConsideredRule {
  readonly rule: PolicyRule;
  readonly matched: boolean;
  /** Why it did or did not match. */
  readonly why: string;
}

export interface Explanation {
  readonly decision: Decision;
  readonly considered: readonly ConsideredRule[];
}

export function decide(question: PolicyQuestion, rules: readonly PolicyRule[]): Decision {
  return explain(question, rules).decision;
}

/** The decision with every rule that was considered. */
export function explain(question: PolicyQuestion, rules: readonly PolicyRule[]): Explanation {
  const considered = rules.map((rule) => consider(rule, question));
  const matched = considered.filter((one) => one.matched).map((one) => one.rule);
  return { decision: fromRules(matched, question) ?? fromModeAndRisk(question), considered };
}

function consider(rule: PolicyRule, question: PolicyQuestion): ConsideredRule {
  if (rule.tool !== undefined && rule.tool !== question.tool) {
    return { rule, matched: false, why: `it is for the tool ${rule.tool}` };
  }
  if (rule.workspace !== undefined && rule.workspace !== question.workspace) {
    return { rule, matched: false, why: `it is for the workspace ${rule.workspace}` };
  }
  if (rule.scope !== undefined && rule.scope !== question.scope) {
    return { rule, matched: false, why: `it is for exactly: ${rule.scope}` };
  }
  return { rule, matched: true, why: rule.justification };
}

function fromRules(matched: readonly PolicyRule[], question: PolicyQuestion): Decision | undefined {
  const first = (decision: PolicyRule["decision"]) => matched.find((rule) => rule.decision === decision);
  const denying = first("deny");
  if (denying !== undefined) return { decision: "deny", rule: denying.id, reason: denying.justification };
  const planned = planDenies(question);
  if (planned !== undefined) return planned;
  const deciding = first("ask") ?? first("allow");
  return deciding && { decision: deciding.decision, rule: deciding.id, reason: deciding.justification };
}

function planDenies(question: PolicyQuestion): Decision | undefined {
  if (question.mode !== "plan" || question.readOnly || question.risk === "safe") return undefined;
  return {
    decision: "deny",
    rule: "mode:plan",
    reason: "mode plan only looks: nothing may be changed or run",
  };
}

function fromModeAndRisk(question: PolicyQuestion): Decision {
  if (question.mode === "bypass") {
    return {
      decision: "allow",
      rule: "mode:bypass",
      reason: "mode bypass allows every call that no rule denies",
    };
  }
  if (question.mode === "accept-edits" && question.editsFiles) {
    return {
      decision: "allow",
      rule: "mode:accept-edits",
      reason: "mode accept-edits allows edits of workspace files",
    };
  }
  return {
    decision: question.risk === "safe" ? "allow" : "ask",
    rule: `risk:${question.risk}`,
    reason: riskReasons[question.risk],
  };
}

const riskReasons: Readonly<Record<Risk, string>> = {
  safe: "a safe tool runs without asking",
  low: "a low risk: asked once a session",
  medium: "a medium risk: asked each time",
  high: "a HIGH risk: it can change or run things; look at the arguments before you allow it",
};
