/** Finds the paths that an allowed call must leave out, such as a denied file in a folder that is searched. */
import type { Policy, ReadyRule } from "./decide.ts";
import type { TouchedPath } from "./facts.ts";
import { namesOf } from "./glob.ts";
import { patternsOf, restrictedPaths } from "./match-paths.ts";
import { matchRule } from "./match-rule.ts";
import type { PolicyQuestion } from "./rule.ts";

type Access = TouchedPath["access"];

export interface PathFilter {
  /** Returns true for a path that the call must leave out. */
  denies(path: string, access: Access): boolean;
  readonly closedPlaces: ClosedPlaces;
}

/**
 * The paths that a program started by the call must not use. A rule that denies closes its paths for the accesses that it
 * is about. A rule that asks closes its paths only for writes, and only if it is about writes, because a program that
 * cannot read its sources does not work.
 */
export interface ClosedPlaces {
  closes(path: string, access: Access): boolean;
  /** Returns true if a path below this folder may be closed. */
  mayHold(folder: string, access: Access): boolean;
  /** For each pattern of the rules, the path before its first name with a `*`. The path need not exist on disk. */
  readonly beginnings: readonly string[];
}

/**
 * Returns the filter for an allowed call. It uses the rules with a condition on paths that deny or ask and whose other
 * conditions may hold, but no rule that asks and surely matches this call. Returns undefined if there is no such rule. The
 * filter never excludes paths that the call names, because the decision already covers them. A rule that asks closes
 * nothing for programs if it is unknown whether the rule matches this call: the person was asked because of the rule, and
 * the call could otherwise do only a part of its work.
 */
export function pathFilter(policy: Policy, question: PolicyQuestion): PathFilter | undefined {
  const { facts } = question;
  const rules = restricting(policy, question).filter(({ ready }) => couldHold(ready, question));
  if (rules.length === 0) return undefined;
  const tests = rules.map(({ ready: { rule }, closed }) => ({
    closed,
    covers: restrictedPaths(rule, question),
  }));
  const named = new Set((facts.paths ?? []).map(({ path, access }) => `${access} ${path}`));
  const isNamed = (path: string, access: Access) => named.has(`${access} ${path}`);
  const isClosed = (touched: TouchedPath) =>
    tests.some(({ closed, covers }) => closed.includes(touched.access) && covers([touched]));
  const patterns = rules.flatMap(({ ready: { rule } }) => patternsOf(rule, question));
  return {
    denies: (path, access) =>
      !isNamed(path, access) && tests.some(({ covers }) => covers([{ path, access }])),
    closedPlaces: {
      closes: (path, access) => !isNamed(path, access) && isClosed({ path, access }),
      mayHold: (path, access) => isClosed({ path, access, below: true }),
      beginnings: [...new Set(patterns.map(beginningOf))],
    },
  };
}

interface Restricting {
  readonly ready: ReadyRule;
  /** The accesses that are closed for programs. */
  readonly closed: readonly Access[];
}

/** Returns all rules that deny, and the rules that ask and do not surely match this call. */
function restricting(policy: Policy, question: PolicyQuestion): readonly Restricting[] {
  const { deny, ask } = policy.rulesFor(question.tool);
  return [
    ...deny.map((ready): Restricting => ({ ready, closed: ["read", "write"] })),
    ...ask.flatMap((ready): readonly Restricting[] => {
      const { match } = matchRule(ready.conditions, question);
      return match === "yes" ? [] : [{ ready, closed: match === "no" ? ["write"] : [] }];
    }),
  ];
}

/** Returns the part of the pattern before the first name with a `*`; `.` if this part is empty. */
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
