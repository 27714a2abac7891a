/** Makes sure that the workspace is a repository of its own before git is started in it. */
import { existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Failure, refused } from "../outcome.ts";

/** The failure when git must not be started in `root`. */
export function repositoryProblem(root: string): Failure | undefined {
  const marker = join(root, ".git");
  const stats = lstatSync(marker, { throwIfNoEntry: false });
  if (stats === undefined) {
    const above = repositoryAbove(root);
    return refused(
      "not_found",
      above === undefined
        ? 'The workspace is not a git repository. To make one, run "git init" with bash.'
        : `The workspace is not the root of a git repository, but a folder in one (${above}). The git tools only work at the root: ask the person to start there, or use git with bash.`,
    );
  }
  if (stats.isSymbolicLink()) {
    return refused("validation_failed", ".git is a link. The git tools do not follow it; use git with bash.");
  }
  if (stats.isFile() && !isRegisteredWorktree(root, marker)) {
    return refused(
      "validation_failed",
      ".git is a file that names a repository elsewhere, and that one does not know this folder as its worktree. Use git with bash.",
    );
  }
  return undefined;
}

/** A linked worktree is known to its repository: that names it back. */
function isRegisteredWorktree(root: string, marker: string): boolean {
  try {
    const target = /^gitdir: (.+)$/m.exec(readFileSync(marker, "utf8"))?.[1];
    if (target === undefined) {
      return false;
    }
    const back = readFileSync(join(resolve(root, target.trim()), "gitdir"), "utf8").trim();
    return realpathSync(back) === realpathSync(marker);
  } catch {
    return false;
  }
}

function repositoryAbove(root: string): string | undefined {
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) {
      return folder;
    }
  }
  return undefined;
}
