/** Checks rules when they are loaded, so that no rule means something else than its author intended. */
import { defined } from "@localharness/protocol";
import { toolsOf } from "./condition.ts";
import { globProblem } from "./glob.ts";
import { conditionsOf, matchRule } from "./match-rule.ts";
import type { PolicyQuestion, PolicyRule, RuleExample } from "./rule.ts";

/** Returns the reason why no rule may allow every call of a program, whatever its arguments are; undefined if a rule may. */
export type RiskOfProgram = (program: string) => string | undefined;

export interface RuleProblem {
  /** The key of the rule that has the problem. */
  readonly key: keyof PolicyRule;
  readonly message: string;
}

/** Returns all problems of a rule whose values have the types of `PolicyRule`; empty if the rule is valid. */
export function checkRule(rule: PolicyRule, riskOf: RiskOfProgram): readonly RuleProblem[] {
  const problems = [
    ...checkOrigin(rule),
    ...checkTools(rule),
    ...checkPaths(rule),
    ...checkCommand(rule, riskOf),
    ...checkArguments(rule),
  ];
  // The examples of an invalid rule prove nothing.
  return problems.length > 0 ? problems : checkExamples(rule);
}

function checkOrigin({ decision, origin }: PolicyRule): readonly RuleProblem[] {
  if (origin !== "project" || decision !== "allow") return [];
  return [{ key: "decision", message: "a rule of the project can deny and ask, not allow" }];
}

function checkTools({ tool }: PolicyRule): readonly RuleProblem[] {
  const names = tool === undefined ? ["*"] : [tool].flat();
  if (names.length === 0) return [{ key: "tool", message: "the list of tools is empty" }];
  return names
    .filter((name) => name === "" || (name !== "*" && /[*?]/.test(name)))
    .map((name) => ({
      key: "tool",
      message: `${JSON.stringify(name)} is not the name of a tool: give whole names, or "*" alone for any tool`,
    }));
}

function checkPaths({ path }: PolicyRule): readonly RuleProblem[] {
  if (path === undefined) return [];
  const globs = [path].flat();
  if (globs.length === 0) return [{ key: "path", message: "the list of paths is empty" }];
  return globs.flatMap((glob) => {
    const message = globProblem(glob);
    return message === undefined ? [] : [{ key: "path" as const, message }];
  });
}

function checkCommand({ command, decision }: PolicyRule, riskOf: RiskOfProgram): readonly RuleProblem[] {
  if (command === undefined) return [];
  const problem = (message: string): readonly RuleProblem[] => [{ key: "command", message }];
  const [program] = command;
  if (program === undefined) return problem('a command is a list of words, such as ["npm", "test"]');
  const open = command.at(-1) === "*";
  if (program === "" || /\s/.test(program)) {
    return problem(`the first word is the program alone, not ${JSON.stringify(program)}: one word each`);
  }
  if (command.slice(0, -1).includes("*")) return problem('"*" can only be the last word: any rest');
  if (decision !== "allow" || !open) return [];
  if (program === "*") {
    return problem('an allow for any command is no rule: name the program, or use "scope"');
  }
  const risk = riskOf(program);
  if (risk === undefined) return [];
  return problem(`${program} is ${risk}: allow it only with all its words, not with "*"`);
}

function checkArguments(rule: PolicyRule): readonly RuleProblem[] {
  return Object.entries(rule.arguments ?? {})
    .filter(([, pattern]) => typeof pattern === "object" && pattern.matches === "")
    .map(([name]) => ({ key: "arguments", message: `the pattern for ${JSON.stringify(name)} is empty` }));
}

function checkExamples(rule: PolicyRule): readonly RuleProblem[] {
  const { matches = [], misses = [] } = rule.examples ?? {};
  if (matches.length === 0 && misses.length === 0) return [];
  const conditions = conditionsOf(rule);
  const holds = (example: RuleExample) => matchRule(conditions, asQuestion(example, rule)).match === "yes";
  const said = (example: RuleExample, what: string): RuleProblem => ({
    key: "examples",
    message: `${what}: ${JSON.stringify(example).slice(0, 200)}`,
  });
  return [
    ...matches.filter((one) => !holds(one)).map((one) => said(one, "it does not match its own example")),
    ...misses.filter(holds).map((one) => said(one, "it matches what it must not match")),
  ];
}

function asQuestion(example: RuleExample, rule: PolicyRule): PolicyQuestion {
  const { paths, command } = example;
  return {
    tool: example.tool ?? toolsOf(rule)?.[0] ?? "any",
    arguments: example.arguments ?? {},
    scope: example.scope ?? rule.scope ?? "",
    risk: example.risk ?? [rule.risk ?? "high"].flat()[0] ?? "high",
    readOnly: false,
    editsFiles: false,
    mode: example.mode ?? [rule.mode ?? "default"].flat()[0] ?? "default",
    workspace: example.workspace ?? rule.workspace ?? "/",
    facts: {
      ...defined({ paths }),
      ...(command === undefined ? {} : { command: { text: command.join(" "), calls: [command] } }),
    },
  };
}
