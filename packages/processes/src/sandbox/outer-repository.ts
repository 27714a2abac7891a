/**
 * Finds the folder of a repository outside of the workspace in which git keeps what belongs to the workspace: for a linked worktree, a
 * submodule, and a folder in a repository. Commands may write there, except to the parts through which git runs programs.
 */
import { accessSync, constants, lstatSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { type GitFolder, gitFolderAt } from "@localharness/workspace/git-files/git-folder";
import { ownsWorkTree } from "@localharness/workspace/git-files/repository-config";
import { pathInside } from "@localharness/workspace/paths/door";
import { realAsFar } from "@localharness/workspace/paths/real-as-far";
import { isFolderAt, statsAt } from "@localharness/workspace/paths/stats-at";
import { closedParts } from "./closed-names.ts";

/** Absolute paths. */
export interface OuterRepository {
  readonly writable: readonly string[];
  /** Parts of `writable` that commands cannot write, whether they exist or not. */
  readonly readOnly: readonly string[];
  /** Folders in `readOnly` that commands can write all the same, with the parts of them that they cannot write. */
  readonly reopened: readonly { readonly path: string; readonly readOnly: readonly string[] }[];
}

const nothing: OuterRepository = { writable: [], readOnly: [], reopened: [] };

/**
 * Returns the repository of the workspace (a real path) if its folder is outside; nothing if there is none, or if it does not
 * certainly belong to the workspace: a `.git` file in the workspace may name any folder. The repository must know the folder, and
 * belong to the user, or to the owner of the workspace.
 */
export function outerRepository(workspace: string): OuterRepository {
  // The folder of most repositories is in the workspace, and is not searched for links here.
  if (isFolderAt(join(workspace, ".git"))) return nothing;
  const home = rootOfRepository(workspace);
  const folder = home === undefined ? undefined : gitFolderAt(home);
  if (home === undefined || folder === undefined || folder.odd !== undefined) return nothing;
  if (folder.kind === "submodule" && !ownsWorkTree(folder, home)) return nothing;
  if (pathInside(workspace, folder.shared) !== undefined) return nothing;
  return isOurs(workspace, [home, folder.own, folder.shared]) ? opened(folder) : nothing;
}

/**
 * Returns the folders of the linked worktrees that are in subfolders of the workspace, whose repository is the workspace's.
 * `nested` has the closed names in subfolders, relative to the workspace.
 */
export function innerWorktrees(workspace: string, nested: readonly string[]): OuterRepository["reopened"] {
  return nested.flatMap((name) => {
    const home = basename(name) === ".git" ? dirname(join(workspace, name)) : undefined;
    const folder = home === undefined ? undefined : gitFolderAt(home);
    const isOfWorkspace = folder?.kind === "worktree" && folder.shared === join(workspace, ".git");
    return isOfWorkspace && folder.odd === undefined ? [ofWorktree(folder.own)] : [];
  });
}

/** Returns the folders of the repositories in subfolders. `nested` has the closed names there, relative to the workspace. */
export function repositoriesIn(workspace: string, nested: readonly string[]): readonly string[] {
  const markers = nested.flatMap((name) => /^(.*)\/\.git(?:\/|$)/.exec(name)?.[1] ?? []);
  return [...new Set(markers)].map((folder) => join(workspace, folder));
}

function ofWorktree(own: string): OuterRepository["reopened"][number] {
  return { path: own, readOnly: [...closedParts(own), join(own, "gitdir")] };
}

/**
 * Returns the nearest folder with a `.git`, from the workspace upwards. A repository that holds the home folder is left out: a folder
 * in it is rarely meant to be a part of it.
 */
export function rootOfRepository(workspace: string): string | undefined {
  const home = realAsFar(homedir());
  for (let at = workspace; ; at = dirname(at)) {
    if (at !== workspace && pathInside(at, home) !== undefined) return undefined;
    if (statsAt(join(at, ".git")) !== undefined) return at;
    if (at === dirname(at)) return undefined;
  }
}

function isOurs(workspace: string, folders: readonly string[]): boolean {
  try {
    const owners = [process.geteuid?.(), lstatSync(workspace).uid];
    return folders.every((folder) => {
      accessSync(folder, constants.W_OK);
      return owners.includes(lstatSync(folder).uid);
    });
  } catch {
    return false;
  }
}

function opened({ kind, own, shared }: GitFolder): OuterRepository {
  const closed = closedParts(shared);
  if (kind !== "worktree") return { writable: [shared], readOnly: closed, reopened: [] };
  // The branch and the index of the main checkout are not those of the workspace.
  const ofMain = ["HEAD", "index"].map((name) => join(shared, name)).filter((path) => statsAt(path));
  return { writable: [shared], readOnly: [...closed, ...ofMain], reopened: [ofWorktree(own)] };
}
