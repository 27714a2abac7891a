/** Checks that the workspace is the root of a repository before git is started in it. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Failure, refused } from "../outcome.ts";
import type { Workspace } from "../paths/workspace.ts";
import { gitFolderAt } from "./git-folder.ts";

/** Returns a failure if git must not be started in the workspace. */
export function repositoryProblem(workspace: Workspace): Failure | undefined {
  const marker = workspace.locateEntry(".git");
  if (!marker.ok) return marker;
  const found = gitFolderAt(workspace.root);
  if (found === undefined) return noRepository(workspace.root);
  const odd =
    found.kind === "submodule" ? ".git is a file that names a part of a repository elsewhere" : found.odd;
  return odd === undefined
    ? undefined
    : refused("validation_failed", `${odd}. The git tools do not follow it; use git with bash.`);
}

function noRepository(root: string): Failure {
  const above = repositoryAbove(root);
  return refused(
    "not_found",
    above === undefined
      ? 'The workspace is not a git repository. To make one, run "git init" with bash.'
      : `The workspace is not the root of a git repository, but a folder in one (${above}). The git tools only work at the root: ask the person to start there, or use git with bash.`,
  );
}

function repositoryAbove(root: string): string | undefined {
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
  }
  return undefined;
}
