/**
 * Checks the condition of a rule about the paths that a call touches. A pattern without a `/` at its beginning is relative to the
 * workspace. In a rule that denies or asks it is also relative to each folder that the person added.
 */
import { type Match, toolsOf } from "./condition.ts";
import type { CommandFacts, TouchedPath } from "./facts.ts";
import { foldCase, leavesWorkspace, namesOf, type PathGlob, pathGlob } from "./glob.ts";
import type { PolicyQuestion, PolicyRule } from "./rule.ts";
import { type SplitPath, splitPaths } from "./split-paths.ts";

/** Returns the condition; undefined for a rule without a condition about paths. */
export function pathCondition(rule: PolicyRule): ((question: PolicyQuestion) => Match) | undefined {
  if (rule.path === undefined && rule.access === undefined) return undefined;
  return rule.decision === "allow" ? allows(rule) : restricts(rule);
}

function allows(rule: PolicyRule): (question: PolicyQuestion) => Match {
  const globsIn = keptFor((place) => globsOf(rule, place, ""));
  return ({ workspace, facts: { paths, command } }) => {
    if (paths === undefined || paths.length === 0) return "no";
    const globs = globsIn({ workspace });
    const fits = (path: SplitPath) =>
      hasAccess(rule, path) &&
      globs.some(
        (glob) =>
          glob.outside === path.outside && (path.below ? glob.covers(path.names) : glob.matches(path.names)),
      );
    // A command may touch files that it does not name.
    if (command !== undefined && rule.command === undefined && rule.scope === undefined) return "no";
    return splitPaths(paths, rule.ignoreCase === true).paths.every(fits) ? "yes" : "no";
  };
}

function restricts(rule: PolicyRule): (question: PolicyQuestion) => Match {
  const testIn = keptFor((place) => restrictedPaths(rule, place));
  return ({ facts: { paths, command }, ...place }) => {
    if (paths !== undefined && testIn(place)(paths)) return "yes";
    if (command !== undefined && touchesUnknown(command)) return "unsure";
    // Only a rule that names tools is unsure here. A rule for all tools would otherwise ask about every call whose paths are
    // unknown.
    return paths === undefined && toolsOf(rule) !== undefined ? "unsure" : "no";
  };
}

function touchesUnknown({ calls, unclear, touchesMore, known }: CommandFacts): boolean {
  const isClear = calls !== undefined && unclear === undefined;
  return touchesMore !== undefined || !(isClear || known === "calls and paths");
}

/**
 * Returns a function for a rule that denies or asks. The function returns true if any of the paths has the access of the
 * rule, and matches, is below a matching path, or is touched with everything below it and contains a path that could match.
 */
export function restrictedPaths(
  rule: PolicyRule,
  place: RulePlace,
): (paths: readonly TouchedPath[]) => boolean {
  const globs = globsOf(rule, place, "/**");
  const fits = (path: SplitPath) =>
    hasAccess(rule, path) &&
    globs.some((glob) => glob.matches(path.names) || (path.below && mayHold(path, glob)));
  return (paths) => {
    const { paths: split, allNames, anyBelow } = splitPaths(paths, rule.ignoreCase === true);
    const possible = anyBelow || globs.some(({ literal }) => literal === undefined || allNames.has(literal));
    return possible && split.some(fits);
  };
}

/** Returns true if a path below this path may match. A folder of the workspace contains no path outside the workspace. */
function mayHold(path: SplitPath, glob: PathGlob): boolean {
  return (path.outside || !glob.outside) && glob.reaches(path.names);
}

function hasAccess(rule: PolicyRule, path: SplitPath): boolean {
  return rule.access === undefined || rule.access === path.access;
}

function globsOf(rule: PolicyRule, place: RulePlace, more: string): readonly PathGlob[] {
  const fold = rule.ignoreCase === true ? foldCase : undefined;
  return patternsOf(rule, place).map((glob) => pathGlob(`${glob}${more}`, fold));
}

/** Where rules hold: the workspace, and the folders that the person added to it. */
type RulePlace = Pick<PolicyQuestion, "workspace" | "added">;

/**
 * Returns the patterns of the rule. A pattern that begins with the path of the workspace becomes relative to it. For each added
 * folder there is one more of each relative pattern, which is absolute.
 */
export function patternsOf(
  { path = "**", ignoreCase }: PolicyRule,
  { workspace, added = [] }: RulePlace,
): readonly string[] {
  const fold = ignoreCase === true ? foldCase : (text: string) => text;
  const folder = namesOf(fold(workspace));
  return [path].flat().flatMap((glob) => {
    const names = namesOf(glob);
    const isIn = folder.length > 1 && folder.every((name, at) => name === fold(names[at] ?? ""));
    if (isIn) return names.slice(folder.length).join("/") || ".";
    const isRelative = !leavesWorkspace(names);
    return [glob, ...(isRelative ? added.map((root) => [...namesOf(root), ...names].join("/")) : [])];
  });
}

/** Returns a function that keeps its last result, because the calls of a session have one workspace and few added folders. */
function keptFor<T>(make: (place: RulePlace) => T): (place: RulePlace) => T {
  let kept: { readonly key: string; readonly made: T } | undefined;
  return ({ workspace, added = [] }) => {
    const key = added.length === 0 ? workspace : [workspace, ...added].join("\0");
    if (kept?.key !== key) kept = { key, made: make({ workspace, added }) };
    return kept.made;
  };
}
