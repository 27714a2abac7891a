/**
 * Creates placeholders for absent files of a repository, so that a command cannot create these files and git still works. Git
 * complains about a placeholder that is empty or that it cannot open.
 */
import { readFileSync, type Stats, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { errorCode } from "../outcome.ts";
import { isFolderAt, statsAt } from "../paths/stats-at.ts";

/**
 * The contents of the placeholders by file name. `commondir` names the repository from which git takes programs; the
 * placeholder names its own folder. `alternates` names repositories from which git takes objects; the placeholder has only a
 * comment.
 */
const placeholders: Readonly<Record<string, string>> = { commondir: ".\n", alternates: "#\n" };

/** Returns true if git reads the file at this path, so that the file needs one of these placeholders. */
export function isReadByGit(path: string): boolean {
  return Object.hasOwn(placeholders, basename(path));
}

/** Creates the placeholder. Does nothing if its folder is absent or the path exists. Throws the system's other errors. */
export function createGitPlaceholder(path: string): void {
  if (!isFolderAt(dirname(path))) return;
  try {
    writeFileSync(path, placeholders[basename(path)] ?? "", { flag: "wx", mode: 0o444 });
  } catch (error) {
    // An existing file belongs to the repository and is closed as it is.
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** Removes the placeholder at the path, if there is one. Never throws. */
export function removeGitPlaceholder(path: string): void {
  try {
    if (isGitPlaceholder(path)) unlinkSync(path);
  } catch {
    // The placeholder is already gone.
  }
}

/**
 * Returns true if the file at the path is a placeholder for git, from which git reads nothing. Also returns true while
 * another process writes or removes the placeholder.
 */
export function isGitPlaceholder(path: string, stats: Stats | undefined = statsAt(path)): boolean {
  const content = placeholders[basename(path)] ?? "";
  if (stats?.isFile() !== true) return false;
  if (stats.size === 0 && (stats.mode & 0o222) === 0) return true;
  if (stats.size !== content.length) return false;
  try {
    return readFileSync(path, "utf8") === content;
  } catch (error) {
    return errorCode(error) === "ENOENT";
  }
}
