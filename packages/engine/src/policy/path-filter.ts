/** Finds the paths that an allowed call must leave out, such as a denied file in a folder that is searched. */
import type { Policy, ReadyRule } from "./decide.ts";
import type { TouchedPath } from "./facts.ts";
import { restrictedPaths } from "./match-paths.ts";
import { matchRule } from "./match-rule.ts";
import type { PolicyQuestion } from "./rule.ts";

/** Returns true for a path that the call must leave out. */
export type PathFilter = (path: string, access: TouchedPath["access"]) => boolean;

/**
 * Returns the filter for a call; undefined if no rule that denies or asks has a condition on paths. The filter never excludes
 * paths that the call names, because the decision already covers them. It ignores rules that asked about this call.
 */
export function pathFilter(policy: Policy, question: PolicyQuestion): PathFilter | undefined {
  const { deny, ask } = policy.rulesFor(question.tool);
  const open = ask.filter(({ conditions }) => matchRule(conditions, question).match !== "yes");
  const tests = [...deny, ...open]
    .filter((ready) => couldHold(ready, question))
    .map(({ rule }) => restrictedPaths(rule));
  if (tests.length === 0) return undefined;
  const named = new Set((question.facts.paths ?? []).map(({ path, access }) => `${access} ${path}`));
  return (path, access) => {
    if (named.has(`${access} ${path}`)) return false;
    const touched = [{ path, access }];
    return tests.some((test) => test(touched));
  };
}

/** Returns true for a rule with a condition on paths if its other conditions may hold. */
function couldHold({ rule, conditions }: ReadyRule, question: PolicyQuestion): boolean {
  if (rule.path === undefined && rule.access === undefined) return false;
  const others = conditions.filter((condition) => condition.about !== "path");
  return matchRule(others, question).match !== "no";
}
