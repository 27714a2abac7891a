/**
 * Lists the names that a sandboxed command must not write: every protected name, even if it is absent, because a command
 * must not plant files that other programs obey. Paths are relative to the workspace.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { commonSequences, namesToHold, protectedName } from "../workspace/protected.ts";
import { statsAt } from "../workspace/stats-at.ts";

/** Returns the closed names of the workspace folder itself, including absent ones, but nothing for an absent `.git`. */
export function closedNames(workspace: string): readonly string[] {
  const held = namesToHold(workspace === homedir()).filter((name) => name !== ".git");
  const there = namesIn(workspace).filter((name) => name !== ".git" && protectedName(name) !== undefined);
  const common = commonSequences.filter((name) => existsSync(join(workspace, name)));
  const closed = [
    ...gitNames(workspace, ".git"),
    ...held.map((name) => asFarAs(workspace, name)),
    ...there,
    ...common,
  ];
  return [...new Set(closed)];
}

/** Returns the path, or its first component if that is not a folder. */
function asFarAs(workspace: string, path: string): string {
  const [first = path, ...rest] = path.split("/");
  return rest.length === 0 || isFolder(join(workspace, first)) ? path : first;
}

const ofRuntime =
  `.gitconfig .gitmodules .bashrc .bash_profile .zshrc .zprofile .profile .ripgreprc .mcp.json .vscode
  .idea .claude`.split(/\s+/);

/**
 * Returns the names that the sandbox runtime closes by itself. They are in the folder in which this process was started.
 * Returns an empty list if that folder is outside the workspace.
 */
export function runtimeNames(workspace: string, startedIn: string): readonly string[] {
  const folder = relative(workspace, startedIn);
  if (folder === ".." || folder.startsWith("../")) return [];
  return ofRuntime.map((name) => join(folder, name));
}

/**
 * The parts of a repository that name programs, another repository, or commands that run later. Git itself writes all other
 * parts. `rebase-merge` has the commands of a rebase, which git runs when somebody continues it (see `rebases.ts`).
 */
const gitParts = [
  "config",
  "config.worktree",
  "commondir",
  "hooks",
  "info",
  "modules",
  "worktrees",
  "rebase-merge",
];
const alternates = "objects/info/alternates";

/**
 * Returns the closed names of the repository at `path`, which ends in `.git`. Returns an empty list if it is absent, so that
 * `git init` works.
 */
export function gitNames(workspace: string, path: string): readonly string[] {
  const stats = statsAt(join(workspace, path));
  if (stats === undefined) return [];
  // A file or a link refers to a repository elsewhere, so it is closed as a whole.
  if (!stats.isDirectory()) return [path];
  const parts = isFolder(join(workspace, path, dirname(alternates))) ? [...gitParts, alternates] : gitParts;
  return parts.map((part) => `${path}/${part}`);
}

/** Returns true for a folder. A file with the same name may be the placeholder of another process and is closed as it is. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
