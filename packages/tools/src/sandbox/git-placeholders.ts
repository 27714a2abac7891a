/**
 * Creates placeholders for absent files of a repository, so that a command cannot create these files and git still works. Git
 * complains about a placeholder that is empty or that it cannot open.
 */
import { lstatSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";

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

/**
 * Returns a function that creates the placeholders of the given paths. It skips a path that exists, or whose folder does not.
 * It returns a second function, which removes the placeholders. If calls overlap, a placeholder stays until the last call has
 * ended.
 */
export function createGitPlaceholders(): (paths: readonly string[]) => () => void {
  const users = new Map<string, number>();
  return (paths) => {
    const held = paths.filter((path) => users.has(path) || write(path));
    for (const path of held) users.set(path, (users.get(path) ?? 0) + 1);
    return () => {
      for (const path of held) {
        const left = (users.get(path) ?? 1) - 1;
        if (left > 0) users.set(path, left);
        else users.delete(path);
        if (left <= 0) removeGitPlaceholder(path);
      }
    };
  };
}

/** Creates the placeholder. Returns false if its folder is absent, or if the path exists. */
function write(path: string): boolean {
  if (lstatSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  try {
    writeFileSync(path, placeholders[basename(path)] ?? "", { flag: "wx", mode: 0o444 });
    return true;
  } catch (error) {
    // An existing file belongs to the repository and is closed as it is.
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
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

/** Returns true if the path is what the sandbox creates there while a command runs. Git reads nothing from it. */
export function isGitPlaceholder(path: string): boolean {
  const content = placeholders[basename(path)] ?? "";
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size === content.length && readFileSync(path, "utf8") === content;
}
