/**
 * Watches repositories that sandboxed commands stage as submodules of a repository to which they can write. `git status` there starts
 * the programs that the configuration of such a repository names.
 */
import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gitPlaceAt } from "@localharness/workspace/git-files/git-folder";
import { createFindRepository } from "@localharness/workspace/git-files/repository-config";
import { createReadStaged, type ReadStaged } from "@localharness/workspace/git-files/staged-entries";
import { isSubmoduleMode } from "@localharness/workspace/git-files/submodules";
import { pathInside } from "@localharness/workspace/paths/door";
import { statsAt } from "@localharness/workspace/paths/stats-at";
import { doAll, moveAside } from "./move-aside.ts";
import { rootOfRepository } from "./outer-repository.ts";

export interface StagedRepositories {
  /**
   * Begins to watch for one command. `closed` has the paths that the command cannot write, among them the configurations of
   * repositories that existed before; a whole folder in it is left as it is. The result renames the `.git` of each other staged repository that would start a program or that
   * cannot be judged. It throws the first error at the end if one cannot be renamed, or if an index cannot be read.
   */
  watch(closed: readonly string[]): () => void;
}

/** The maximum depth of repositories in repositories. */
const maxDepth = 8;

/** `workspace` is a real path, and so are those of `others`, the other folders to which commands can write. */
export function createStagedRepositories(
  workspace: string,
  others: readonly string[] = [],
): StagedRepositories {
  const readStaged = createReadStaged();
  return {
    watch: (closed) => () => {
      const isClosed = (marker: string) => closed.includes(marker) || closed.includes(join(marker, "config"));
      const writable = [workspace, ...others].filter((folder) => !closed.includes(folder));
      if (writable.length === 0) return;
      const visit = { writable, readStaged, isClosed, seen: new Set<string>() };
      doAll([...homesOf(workspace, closed)].map((home) => () => settle(visit, home, 0)));
    },
  };
}

/** Returns the folders with the repositories that existed before: those of the workspace, and those of the closed paths. */
function homesOf(workspace: string, closed: readonly string[]): ReadonlySet<string> {
  const markers = closed.flatMap((path) => {
    const marker = basename(path) === "commondir" ? dirname(path) : path;
    return basename(marker) === ".git" ? [marker] : [];
  });
  const root = rootOfRepository(workspace);
  return new Set([workspace, ...(root === undefined ? [] : [root]), ...markers.map((path) => dirname(path))]);
}

interface Visit {
  readonly writable: readonly string[];
  readonly readStaged: ReadStaged;
  /** The staged repositories that were looked at. */
  readonly seen: Set<string>;
  isClosed(marker: string): boolean;
}

/** Renames the `.git` of the dangerous repositories that the one in `home` has staged, and of those that these have staged. */
function settle(visit: Visit, home: string, depth: number): void {
  const folder = gitPlaceAt(home);
  if (folder === undefined) return;
  const { entries, whole } = visit.readStaged(folder.own);
  const staged = entries.flatMap(({ path, mode }) => (isSubmoduleMode(mode) ? [join(home, path)] : []));
  doAll([
    ...staged.map((path) => () => {
      if (visit.seen.has(path) || !isMade(visit, path)) return;
      visit.seen.add(path);
      if (depth < maxDepth) settle(visit, path, depth + 1);
      const marker = join(path, ".git");
      if (!visit.isClosed(marker) && startsPrograms(path)) moveAside(marker);
    }),
    () => {
      if (!whole) throw new Error(`the index of the repository in ${home} cannot be read`);
    },
  ]);
}

/**
 * Returns true if a repository is there that a command may have made. A path with a link in it is none: git does not follow it, and it
 * may lead anywhere. Nor is one that cannot be looked at, for git neither.
 */
function isMade({ writable }: Visit, staged: string): boolean {
  if (!writable.some((folder) => pathInside(folder, staged))) return false;
  try {
    return statsAt(join(staged, ".git")) !== undefined && realpathSync.native(staged) === staged;
  } catch {
    return false;
  }
}

/** Returns true if git would start a program because of the repository there, or if it cannot be judged. */
function startsPrograms(home: string): boolean {
  try {
    const repository = createFindRepository()(home);
    if (repository === undefined) return false;
    return repository.odd !== undefined || repository.always.length + repository.forChanges.length > 0;
  } catch {
    return true;
  }
}
