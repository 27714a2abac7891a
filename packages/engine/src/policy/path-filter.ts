/** Which paths a call must leave out although it was allowed as a whole: a search through a folder with a denied file. */
import type { Policy, ReadyRule } from "./decide.ts";
import type { TouchedPath } from "./facts.ts";
import { restrictedPaths } from "./match-paths.ts";
import { matchRule } from "./match-rule.ts";
import type { PolicyQuestion } from "./rule.ts";

export type PathFilter = (path: string, access: TouchedPath["access"]) => boolean;

/**
 * Undefined when no rule that denies or asks speaks of paths. What the call itself named has been decided on, and a rule
 * that asked about the call has had its answer.
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

/** True for a rule on paths whose other conditions hold. */
function couldHold({ rule, conditions }: ReadyRule, question: PolicyQuestion): boolean {
  if (rule.path === undefined && rule.access === undefined) return false;
  const others = conditions.filter((condition) => condition.about !== "path");
  return matchRule(others, question).match !== "no";
}
