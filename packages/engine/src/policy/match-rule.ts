/** Matches a rule against a call, and returns the condition that decides. */
import type { JsonValue } from "@localharness/protocol";
import { addedScope } from "./added-scope.ts";
import { type Condition, type Match, toolsOf } from "./condition.ts";
import { answerId } from "./covers-answer.ts";
import { textGlob } from "./glob.ts";
import { commandCondition } from "./match-command.ts";
import { pathCondition } from "./match-paths.ts";
import type { ArgumentPattern, PolicyQuestion, PolicyRule } from "./rule.ts";

export interface RuleMatch {
  readonly match: Match;
  /** The condition that decides; absent if all conditions hold. */
  readonly condition?: Condition;
}

const holds: RuleMatch = { match: "yes" };

/** Returns `no` with the first condition that does not hold; else `unsure` with the first uncertain condition; else `yes`. */
export function matchRule(conditions: readonly Condition[], question: PolicyQuestion): RuleMatch {
  let unsure: RuleMatch | undefined;
  for (const condition of conditions) {
    const match = condition.holds(question);
    if (match === "no") return { match, condition };
    if (match === "unsure") unsure ??= { match, condition };
  }
  return unsure ?? holds;
}

/** Returns the conditions of a rule. The conditions that are fastest to check come first. */
export function conditionsOf(rule: PolicyRule): readonly Condition[] {
  const tools = toolsOf(rule);
  const { workspace, scope, risk, mode } = rule;
  const conditions: Condition[] = [];
  if (tools !== undefined) {
    conditions.push(exactly(({ tool }) => tools.includes(tool), `it is for the tool ${tools.join(", ")}`));
  }
  if (workspace !== undefined) {
    conditions.push(
      exactly((asked) => asked.workspace === workspace, `it is for the workspace ${workspace}`),
    );
  }
  if (scope !== undefined) {
    conditions.push(exactly((asked) => isScope(asked, rule, scope), `it is for exactly: ${scope}`));
  }
  if (scope === undefined && isAnswer(rule) && answerId.test(rule.id)) {
    const isMeant = (asked: PolicyQuestion) => addedScope(asked.facts) === "";
    conditions.push(exactly(isMeant, "it is an answer about the workspace, not about an added folder"));
  }
  if (risk !== undefined) {
    conditions.push(
      exactly(
        (asked) => [risk].flat().includes(asked.risk),
        `it is for the risk ${[risk].flat().join(", ")}`,
      ),
    );
  }
  if (mode !== undefined) {
    conditions.push(
      exactly(
        (asked) => [mode].flat().includes(asked.mode),
        `it is for the mode ${[mode].flat().join(", ")}`,
      ),
    );
  }
  const command = commandCondition(rule);
  if (command !== undefined) {
    conditions.push({
      about: "command",
      holds: command,
      why: (match) =>
        match === "unsure"
          ? "it is unknown which programs this command runs"
          : `it is for the command ${(rule.command ?? []).join(" ")}`,
    });
  }
  for (const [name, pattern] of Object.entries(rule.arguments ?? {}))
    conditions.push(argumentCondition(rule, name, pattern));
  const paths = pathCondition(rule);
  if (paths !== undefined) {
    conditions.push({
      about: "path",
      holds: paths,
      why: (match) =>
        match === "unsure"
          ? "it is unknown which files this call touches"
          : `it is for ${pathsInWords(rule)}`,
    });
  }
  return conditions;
}

/**
 * Returns true if the call has the scope of the rule, or if an answer made the rule: about this kind of calls, which names no tool, or
 * about calls of the same beginning.
 */
function isScope(asked: PolicyQuestion, rule: PolicyRule, scope: string): boolean {
  const { kind, wider } = asked.facts;
  // The scope of another tool may be any text, such as a whole command, so that it never means a kind.
  if (isAnswer(rule) && rule.tool === undefined) return kind?.scope === scope;
  return asked.scope === scope || (wider?.scope === scope && rule.tool === asked.tool && isAnswer(rule));
}

function isAnswer({ origin }: PolicyRule): boolean {
  return origin === "session" || origin === "remembered";
}

function exactly(test: (question: PolicyQuestion) => boolean, why: string): Condition {
  return { about: "call", holds: (question) => (test(question) ? "yes" : "no"), why: () => why };
}

function argumentCondition(rule: PolicyRule, name: string, pattern: ArgumentPattern): Condition {
  const fits = patternTest(pattern);
  // A text pattern cannot allow a command, because another command may follow after an operator in the text.
  const tooLittle = rule.decision === "allow" && typeof pattern === "object";
  return exactly(
    ({ arguments: args, facts }) =>
      Object.hasOwn(args, name) && fits(args[name]) && !(tooLittle && facts.command !== undefined),
    `it is for another ${name}: ${JSON.stringify(typeof pattern === "object" ? pattern.matches : pattern)}`,
  );
}

function patternTest(pattern: ArgumentPattern): (value: JsonValue | undefined) => boolean {
  if (typeof pattern !== "object") return (value) => value === pattern;
  const fits = textGlob(pattern.matches);
  return (value) => typeof value === "string" && fits(value);
}

function pathsInWords(rule: PolicyRule): string {
  const paths = rule.path === undefined ? "paths" : [rule.path].flat().join(", ");
  return rule.access === undefined ? paths : `${paths}, to ${rule.access}`;
}
