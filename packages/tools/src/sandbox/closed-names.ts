/**
 * What a sandboxed command must not write in the workspace: every protected name, also where it is absent, since a
 * command must not plant orders for other programs. Paths are relative to the workspace.
 */
import { lstatSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { namesAnywhere, namesAtHome, protectedName, sequences } from "../workspace/protected.ts";

const mostWorktrees = 50;

/** Of the workspace's own folder: all names, whether they are there or not. */
export function closedNames(workspace: string): readonly string[] {
  const others = namesAnywhere.filter((name) => name !== ".git");
  const atHome = workspace === homedir() ? namesAtHome : [];
  const there = namesIn(workspace).filter((name) => name !== ".git" && protectedName(name) !== undefined);
  const parts = sequences
    .filter(([first = ""]) => workspace === homedir() || first === ".cargo")
    .map((sequence) => (isFolder(join(workspace, sequence[0] ?? "")) ? sequence.join("/") : sequence[0]));
  const closed = [...gitNames(workspace, ".git"), ...others, ...atHome, ...there, ...parts];
  return [...new Set(closed.filter((name) => name !== undefined))];
}

const ofRuntime =
  `.gitconfig .gitmodules .bashrc .bash_profile .zshrc .zprofile .profile .ripgreprc .mcp.json .vscode
  .idea .claude`.split(/\s+/);

/** What the sandbox's runtime closes by itself: names in the folder that the program was started in, when it lies in the workspace. */
export function runtimeNames(workspace: string, startedIn: string): readonly string[] {
  const folder = relative(workspace, startedIn);
  if (folder === ".." || folder.startsWith("../")) return [];
  return ofRuntime.map((name) => join(folder, name));
}

/** The parts of a repository that name programs, or another repository. All else git writes in the course of its work. */
const gitParts = ["config", "config.worktree", "commondir", "hooks", "info", "modules"];

/** `path` ends in `.git`. Without a repository its folder stays free, so that one can be made. */
export function gitNames(workspace: string, path: string): readonly string[] {
  const stats = lstatSync(join(workspace, path), { throwIfNoEntry: false });
  if (stats === undefined) return [];
  // A file or a link names a repository elsewhere.
  if (!stats.isDirectory()) return [path];
  const worktrees = namesIn(join(workspace, path, "worktrees")).slice(0, mostWorktrees);
  return [
    ...gitParts.map((part) => `${path}/${part}`),
    ...worktrees.flatMap((name) =>
      ["commondir", "gitdir", "config.worktree"].map((part) => `${path}/worktrees/${name}/${part}`),
    ),
  ];
}

/** A file there is closed as it is: it may be the stand-in of another process. */
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
