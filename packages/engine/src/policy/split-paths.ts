/** Splits the paths of a call into names, once for all rules. */
import type { TouchedPath } from "./facts.ts";
import { foldCase, leavesWorkspace, namesOf } from "./glob.ts";

export interface SplitPath {
  readonly names: readonly string[];
  readonly access: TouchedPath["access"];
  /** True if everything below the path is touched too. */
  readonly below: boolean;
  readonly outside: boolean;
}

export interface SplitPaths {
  readonly paths: readonly SplitPath[];
  /** Every name that occurs in the paths. */
  readonly allNames: ReadonlySet<string>;
  readonly anyBelow: boolean;
}

interface Memo {
  plain?: SplitPaths;
  folded?: SplitPaths;
}

const memos = new WeakMap<readonly TouchedPath[], Memo>();

/** Returns the paths split into names; in lower case if `folded` is true. Remembers the result for each list of paths. */
export function splitPaths(paths: readonly TouchedPath[], folded: boolean): SplitPaths {
  let memo = memos.get(paths);
  if (memo === undefined) {
    memo = {};
    memos.set(paths, memo);
  }
  if (folded) {
    memo.folded ??= splitAll(paths, foldCase);
    return memo.folded;
  }
  memo.plain ??= splitAll(paths, (text) => text);
  return memo.plain;
}

function splitAll(paths: readonly TouchedPath[], fold: (text: string) => string): SplitPaths {
  const split = paths.map((touched) => splitPath(touched, fold));
  return {
    paths: split,
    allNames: new Set(split.flatMap(({ names }) => names)),
    anyBelow: split.some(({ below }) => below),
  };
}

function splitPath({ path, access, below }: TouchedPath, fold: (text: string) => string): SplitPath {
  const names = namesOf(fold(path));
  return { names, access, below: below === true, outside: leavesWorkspace(names) };
}
