/** The condition of a rule on what a call touches. */
import { type Match, toolsOf } from "./condition.ts";
import type { TouchedPath } from "./facts.ts";
import { foldCase, isOutside, namesOf, type PathGlob, pathGlob } from "./glob.ts";
import type { PolicyQuestion, PolicyRule } from "./rule.ts";

/** Of a rule that denies or asks: what is below a matching path counts as well. */
export type PathTest = (touched: TouchedPath) => boolean;

/** Undefined for a rule without a condition on paths. */
export function pathCondition(rule: PolicyRule): ((question: PolicyQuestion) => Match) | undefined {
  if (rule.path === undefined && rule.access === undefined) return undefined;
  const test = rule.decision === "allow" ? allowedPath(rule) : restrictedPath(rule);
  return rule.decision === "allow"
    ? (question) => allows(rule, question, test)
    : (question) => restricts(rule, question, test);
}

function allows(rule: PolicyRule, { facts }: PolicyQuestion, test: PathTest): Match {
  const { paths, command } = facts;
  if (paths === undefined || paths.length === 0) return "no";
  // The files that a command names are not all that it can touch.
  if (command !== undefined && rule.command === undefined && rule.scope === undefined) return "no";
  return paths.every(test) ? "yes" : "no";
}

function restricts(rule: PolicyRule, { facts }: PolicyQuestion, test: PathTest): Match {
  if (facts.paths?.some(test)) return "yes";
  const unknown = facts.paths === undefined || facts.command?.unclear !== undefined;
  // For any tool it would be asked about all that names no file; a tool that the rule names is another matter.
  return unknown && toolsOf(rule) !== undefined ? "unsure" : "no";
}

function globsOf(rule: PolicyRule, more: string): readonly PathGlob[] {
  const globs = rule.path === undefined ? ["**"] : [rule.path].flat();
  return globs.map((glob) => pathGlob(`${glob}${more}`, foldOf(rule)));
}

function foldOf(rule: PolicyRule): (text: string) => string {
  return rule.ignoreCase === true ? foldCase : (text) => text;
}

function allowedPath(rule: PolicyRule): PathTest {
  const globs = globsOf(rule, "");
  const fold = foldOf(rule);
  return ({ path, access, below }) => {
    if (rule.access !== undefined && rule.access !== access) return false;
    const names = namesOf(fold(path));
    const outside = isOutside(names);
    return globs.some(
      (glob) => glob.outside === outside && (below === true ? glob.covers(names) : glob.matches(names)),
    );
  };
}

export function restrictedPath(rule: PolicyRule): PathTest {
  const globs = globsOf(rule, "/**");
  const fold = foldOf(rule);
  return ({ path, access, below }) => {
    if (rule.access !== undefined && rule.access !== access) return false;
    const names = namesOf(fold(path));
    return globs.some((glob) => glob.matches(names) || (below === true && glob.reaches(names)));
  };
}
