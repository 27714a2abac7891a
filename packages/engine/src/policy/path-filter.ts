/** Finds the paths that an allowed call must leave out, such as a denied file in a folder that is searched. */
import type { Policy, ReadyRule } from "./decide.ts";
import type { TouchedPath } from "./facts.ts";
import { namesOf } from "./glob.ts";
import { patternsOf, restrictedPaths } from "./match-paths.ts";
import { matchRule } from "./match-rule.ts";
import type { PolicyQuestion, PolicyRule } from "./rule.ts";

export interface PathFilter {
  /** Returns true for a path that the call must leave out. */
  denies(path: string, access: TouchedPath["access"]): boolean;
  readonly closedPlaces: ClosedPlaces;
}

/**
 * The paths that a program must not use which the call starts: what rules deny, and what it would write although a rule asks
 * about that. A rule that asks hides nothing from programs, because one that cannot read its sources does not work.
 */
export interface ClosedPlaces {
  closes(path: string, access: TouchedPath["access"]): boolean;
  /** Returns true if a path below this folder may be closed. */
  mayHold(folder: string, access: TouchedPath["access"]): boolean;
  /** The paths in the workspace that begin the patterns of the rules. They may be absent. */
  readonly beginnings: readonly string[];
}

/**
 * Returns the filter for a call; undefined if no rule that denies or asks has a condition on paths. The filter never excludes
 * paths that the call names, because the decision already covers them. It ignores rules that asked about this call.
 */
export function pathFilter(policy: Policy, question: PolicyQuestion): PathFilter | undefined {
  const { deny, ask } = policy.rulesFor(question.tool);
  const silent = ask.filter(({ conditions }) => matchRule(conditions, question).match === "no");
  const rules = [...deny, ...silent].filter((ready) => couldHold(ready, question)).map(({ rule }) => rule);
  if (rules.length === 0) return undefined;
  const { workspace } = question;
  const testsOf = (some: readonly PolicyRule[]) => some.map((rule) => restrictedPaths(rule, workspace));
  const denying = testsOf(rules.filter(({ decision }) => decision === "deny"));
  const all = testsOf(rules);
  const named = new Set((question.facts.paths ?? []).map(({ path, access }) => `${access} ${path}`));
  const isOpen = ({ path, access }: TouchedPath) => named.has(`${access} ${path}`);
  const closing = (touched: TouchedPath) => fits(touched.access === "read" ? denying : all, touched);
  return {
    denies: (path, access) => !isOpen({ path, access }) && fits(all, { path, access }),
    closedPlaces: {
      closes: (path, access) => !isOpen({ path, access }) && closing({ path, access }),
      mayHold: (path, access) => closing({ path, access, below: true }),
      beginnings: [...new Set(rules.flatMap((rule) => patternsOf(rule, workspace).map(beginningOf)))],
    },
  };
}

function fits(tests: readonly ReturnType<typeof restrictedPaths>[], touched: TouchedPath): boolean {
  return tests.some((test) => test([touched]));
}

/** Returns the names of the pattern before the first one with a `*`; `.` if there is none. */
function beginningOf(glob: string): string {
  const names = namesOf(glob);
  const end = names.findIndex((name) => name.includes("*"));
  return (end === -1 ? names : names.slice(0, end)).join("/") || ".";
}

/** Returns true for a rule with a condition on paths if its other conditions may hold. */
function couldHold({ rule, conditions }: ReadyRule, question: PolicyQuestion): boolean {
  if (rule.path === undefined && rule.access === undefined) return false;
  const others = conditions.filter((condition) => condition.about !== "path");
  return matchRule(others, question).match !== "no";
}
