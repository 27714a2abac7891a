/**
 * Lists the names that a sandboxed command must not write: every protected name, even if it is absent, because a command
 * must not plant files that other programs obey. Paths are relative to the workspace.
 */

import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { closedName, commonSequences, namesToHold } from "@localharness/workspace/paths/protected";
import { statsAt } from "@localharness/workspace/paths/stats-at";
import { wordsPattern } from "@localharness/workspace/patterns";

/** Returns the closed names of the workspace folder itself, including absent ones, but nothing for an absent `.git`. */
export function closedNames(workspace: string): readonly string[] {
  const held = namesToHold(workspace).filter((name) => name !== ".git");
  const there = namesIn(workspace).filter(
    (name) => name !== ".git" && closedName(name, workspace) !== undefined,
  );
  const common = commonSequences.filter((name) => existsSync(join(workspace, name)));
  const closed = [
    ...gitNames(workspace, ".git"),
    ...held.map((name) => asFarAs(workspace, name)),
    ...there,
    ...common,
  ];
  return [...new Set(closed)];
}

/**
 * Returns the closed names of another folder to which commands may write, including absent ones. What the path of the folder
 * itself names does not count, because the person has named the folder.
 */
export function closedInFolder(folder: string): readonly string[] {
  const held = namesToHold(folder).filter((name) => name !== ".git");
  const there = namesIn(folder).filter((name) => name !== ".git" && closedName(name) !== undefined);
  return [...new Set([...gitNames(folder, ".git"), ...held.map((name) => asFarAs(folder, name)), ...there])];
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
 * The parts of a repository that name programs, other repositories, or commands that run later, whether they exist or not. The
 * last three have work that git does when somebody continues it (see `rebases.ts`).
 */
const gitParts = [
  "config",
  "config.worktree",
  "commondir",
  "hooks",
  "info",
  "modules",
  "worktrees",
  "remotes",
  "branches",
  "rebase-merge",
  "rebase-apply",
  "sequencer",
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
  return closedParts(path, workspace);
}

/** Returns the closed parts of the folder of a repository. `path` is relative to `base`, by default absolute. */
export function closedParts(path: string, base = ""): readonly string[] {
  const further = isFolder(join(base, path, dirname(alternates))) ? [alternates] : [];
  const parts = [...gitParts, ...further, ...otherParts(join(base, path))];
  return parts.map((part) => `${path}/${part}`);
}

/** Matches the parts that commands may write. Git writes them in its ordinary work, and runs nothing that they name. */
const ordinaryParts = wordsPattern(
  "^",
  String.raw`[A-Z]*_?HEAD (?:MERGE|COMMIT|TAG|SQUASH|AUTO|BISECT|NOTES|EDIT|GITGUI)_\w+ index(?:\..*)?
    next-index-.* sharedindex\..* packed-refs refs reftable logs objects rr-cache shallow lost-found
    lfs description gc\.(?:pid|log) fsmonitor--daemon.* tmp_.* .*\.lock .*\.moved-\d+`,
  "$",
);

/** Returns the existing parts of a repository's folder that nobody knows, and that other programs may obey. */
export function otherParts(folder: string): readonly string[] {
  return namesIn(folder).filter((name) => !gitParts.includes(name) && !ordinaryParts.test(name));
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
