/**
 * Decides about a call. The first of these that applies decides: a concern or rule that denies, the mode `plan`, a concern
 * or rule that asks, a rule that denies or asks but is unsure (it asks), a rule that allows, the mode, the risk `safe`, the
 * freedom for looks (`Freedoms.looks`). If none applies, the call asks because of its risk.
 */
import type { PermissionMode, Risk } from "@localharness/protocol";
import { type Condition, toolsOf } from "./condition.ts";
import type { CallFacts, Concern, TouchedPath } from "./facts.ts";
import { conditionsOf, matchRule } from "./match-rule.ts";
import type { Decision, PolicyQuestion, PolicyRule } from "./rule.ts";

export interface ConsideredRule {
  readonly rule: PolicyRule;
  readonly matched: boolean;
  /** The reason why the rule did or did not match. */
  readonly why: string;
}

export interface Explanation {
  readonly decision: Decision;
  readonly considered: readonly ConsideredRule[];
}

/** Rules that are prepared for fast decisions. */
export interface Policy {
  decide(question: PolicyQuestion): Decision;
  /** Returns the decision with all concerns and rules that were considered. */
  explain(question: PolicyQuestion): Explanation;
  /** Returns the rules that apply to a tool, in order. */
  rulesFor(tool: string): RulesOfTool;
}

export interface ReadyRule {
  readonly rule: PolicyRule;
  /** The conditions of the rule, computed at the first use. */
  readonly conditions: readonly Condition[];
}

export interface RulesOfTool {
  readonly deny: readonly ReadyRule[];
  readonly ask: readonly ReadyRule[];
  readonly allow: readonly ReadyRule[];
}

export function decide(question: PolicyQuestion, rules: readonly PolicyRule[]): Decision {
  return createPolicy(rules).decide(question);
}

export function explain(question: PolicyQuestion, rules: readonly PolicyRule[]): Explanation {
  return createPolicy(rules).explain(question);
}

export function createPolicy(rules: readonly PolicyRule[]): Policy {
  const named = new Map<string, number[]>();
  const anyTool: number[] = [];
  for (const [index, rule] of rules.entries()) {
    for (const tool of toolsOf(rule) ?? []) {
      const indexes = named.get(tool);
      if (indexes === undefined) named.set(tool, [index]);
      else indexes.push(index);
    }
    if (toolsOf(rule) === undefined) anyTool.push(index);
  }
  const ready = new Map<string, RulesOfTool>();

  const rulesFor = (tool: string): RulesOfTool => {
    const known = ready.get(tool);
    if (known !== undefined) return known;
    const indexes = [...(named.get(tool) ?? []), ...anyTool].sort((a, b) => a - b);
    const own = [...new Set(indexes)].flatMap((index) => readyRule(rules[index]));
    const of = (decision: PolicyRule["decision"]) => own.filter(({ rule }) => rule.decision === decision);
    const allow = of("allow").filter(({ rule }) => !isProjectAllow(rule));
    const found = { deny: of("deny"), ask: of("ask"), allow };
    ready.set(tool, found);
    return found;
  };

  const decideOn = (question: PolicyQuestion) => decideAmong(question, rulesFor(question.tool));
  return {
    rulesFor,
    decide: decideOn,
    explain: (question) => ({
      decision: decideOn(question),
      considered: [
        ...(question.facts.concerns ?? []).map((concern) => considerConcern(concern, question.mode)),
        ...rules.map((rule) => consider(rule, question)),
      ],
    }),
  };
}

function readyRule(rule: PolicyRule | undefined): readonly ReadyRule[] {
  if (rule === undefined) return [];
  let conditions: readonly Condition[] | undefined;
  return [
    {
      rule,
      get conditions() {
        conditions ??= conditionsOf(rule);
        return conditions;
      },
    },
  ];
}

function decideAmong(question: PolicyQuestion, rules: RulesOfTool): Decision {
  const denying = scan(rules.deny, question);
  const denied = fromConcern("deny", question) ?? denying.matched ?? planDenies(question);
  if (denied !== undefined) return denied;
  const asking = scan(rules.ask, question);
  return (
    fromConcern("ask", question) ??
    asking.matched ??
    denying.unsure ??
    asking.unsure ??
    scan(rules.allow, question).matched ??
    fromModeAndRisk(question)
  );
}

/**
 * Returns the decision of the first concern that has this `decision` and has an effect in the mode; undefined if there is
 * none. A concern is treated as a rule.
 */
function fromConcern(decision: Concern["decision"], { facts, mode }: PolicyQuestion): Decision | undefined {
  const concern = facts.concerns?.find((one) => one.decision === decision && one.exceptIn !== mode);
  return concern && { decision, rule: concernRule(concern), reason: concern.reason };
}

function concernRule(concern: Concern): string {
  return `built-in:${concern.id}`;
}

/**
 * Returns the decision of the first rule that matches, as `matched`. If no rule matches, returns the decision `ask` for the
 * first rule that may match, as `unsure`.
 */
function scan(
  rules: readonly ReadyRule[],
  question: PolicyQuestion,
): { readonly matched?: Decision; readonly unsure?: Decision } {
  let unsure: Decision | undefined;
  for (const { rule, conditions } of rules) {
    const { match, condition } = matchRule(conditions, question);
    if (match === "yes") {
      return { matched: { decision: rule.decision, rule: rule.id, reason: rule.justification } };
    }
    if (match === "unsure" && unsure === undefined) {
      const why = `${condition?.why(match)}, and this rule is about some of them: ${rule.justification}`;
      const reason = [...effectAndNeeds(question), why].join("; ");
      unsure = { decision: "ask", rule: rule.id, reason };
    }
  }
  return unsure === undefined ? {} : { unsure };
}

function considerConcern(concern: Concern, mode: PermissionMode): ConsideredRule {
  const { decision, reason, exceptIn } = concern;
  const rule: PolicyRule = { id: concernRule(concern), decision, justification: reason, origin: "built-in" };
  return exceptIn === mode
    ? { rule, matched: false, why: `mode ${mode} does not ask about it` }
    : { rule, matched: true, why: reason };
}

/** Returns true for a rule of the project that allows, which has no effect. */
function isProjectAllow(rule: PolicyRule): boolean {
  return rule.decision === "allow" && rule.origin === "project";
}

function consider(rule: PolicyRule, question: PolicyQuestion): ConsideredRule {
  if (isProjectAllow(rule)) {
    return { rule, matched: false, why: "rules of the project can only deny and ask" };
  }
  const { match, condition } = matchRule(conditionsOf(rule), question);
  if (condition === undefined) return { rule, matched: true, why: rule.justification };
  const asks = match === "unsure" && rule.decision !== "allow";
  return { rule, matched: asks, why: condition.why(match) };
}

function planDenies(question: PolicyQuestion): Decision | undefined {
  if (question.mode !== "plan" || question.readOnly || question.risk === "safe") return undefined;
  return {
    decision: "deny",
    rule: "mode:plan",
    reason: "mode plan only reads: nothing may be changed or run",
  };
}

function fromModeAndRisk(question: PolicyQuestion): Decision {
  const { risk, mode, facts } = question;
  const allowed = allowedByMode(question);
  if (allowed !== undefined) return { decision: "allow", rule: `mode:${mode}`, reason: allowed };
  if (risk === "safe") return { decision: "allow", rule: "risk:safe", reason: riskReasons.safe };
  const isTrusted = facts.paths?.every(({ added }) => added?.trusted !== false) !== false;
  if (isTrusted && question.freedoms?.looks === true && question.readOnly && facts.looks === true) {
    return { decision: "allow", rule: "look", reason: "it only reads ordinary files of a trusted folder" };
  }
  const walls =
    mode === "auto" && facts.command !== undefined ? [`mode auto asks: ${wallsLeft(question)}`] : [];
  const said = walls.length > 0 ? walls : effectAndNeeds(question);
  const reason = said.length === 0 ? riskReasons[risk] : said.join("; ");
  return { decision: "ask", rule: `risk:${risk}`, reason };
}

/** Returns what is known, in words: what the call does, why a confined command leaves the sandbox, and what it destroys. */
function effectAndNeeds({ facts, freedoms }: PolicyQuestion): readonly string[] {
  const effect = facts.effect === undefined ? [] : [`it ${facts.effect}`];
  const needs = freedoms?.confined === true ? facts.command?.leaves : undefined;
  const more = [...(needs === undefined ? [] : [needs]), ...whatIsLost(facts)];
  return [...effect.filter((one) => more.every((other) => !other.startsWith(one))), ...more];
}

function whatIsLost({ command }: CallFacts): readonly string[] {
  if (command?.destroys === undefined) return [];
  return [`${command.destroys}; ${command.kept === undefined ? "undo has no copy" : "undo keeps a copy"}`];
}

/** Returns the reason why the mode allows the call; undefined if it does not. */
function allowedByMode(question: PolicyQuestion): string | undefined {
  const { mode, editsFiles } = question;
  if (mode === "bypass") return "mode bypass allows every call that no rule denies";
  if (mode === "accept-edits" && editsFiles) return "mode accept-edits allows edits of workspace files";
  if (mode !== "auto") return undefined;
  if (editsFiles) return "mode auto allows edits of workspace files";
  if (question.readOnly && question.facts.looks === true) return "mode auto allows reads of ordinary files";
  const stays = question.facts.command !== undefined && wallsLeft(question) === undefined;
  return stays ? "mode auto allows commands that stay in the sandbox" : undefined;
}

/** Returns the reason why a command may leave the sandbox or the workspace or destroys files; undefined if there is none. */
function wallsLeft({ facts, freedoms }: PolicyQuestion): string | undefined {
  if (freedoms?.confined !== true) return "no sandbox confines commands here";
  const { command, paths } = facts;
  if (paths === undefined) return "it is unknown which files the command touches";
  if (command?.leaves !== undefined) return command.leaves;
  const [lost] = command?.kept === undefined ? whatIsLost(facts) : [];
  if (lost !== undefined) return lost;
  const outside = paths.find(isOutside);
  return outside && `it names ${outside.path}, outside of the workspace`;
}

/**
 * Returns true for a path outside the workspace and the folders that the person added: an absolute path, a path that begins with
 * `~`, or a path that leads upwards.
 */
export function isOutside({ path, added }: Pick<TouchedPath, "path" | "added">): boolean {
  if (added !== undefined) return false;
  return /^(?:[/\\~]|[A-Za-z]:[/\\])/.test(path) || path === ".." || path.startsWith("../");
}

const riskReasons: Readonly<Record<Risk, string>> = {
  safe: "a safe tool runs without asking",
  low: "a low risk: asked once a session",
  medium: "a medium risk: asked each time",
  high: "it can change or run things; look at the arguments before you allow it",
};
