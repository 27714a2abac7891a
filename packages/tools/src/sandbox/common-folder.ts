/**
 * Creates placeholders for absent files that git reads: `commondir` names the repository from which git takes programs,
 * `alternates` one from which it takes objects. Git complains about placeholders that are empty or that it cannot open, so
 * these have a content that changes nothing, and git works meanwhile.
 */
import { lstatSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";

/** The contents by file name: the repository's own folder, and a comment. */
const contents: Readonly<Record<string, string>> = { commondir: ".\n", alternates: "#\n" };

/** Returns true for a path whose placeholder git reads. */
export function isReadByGit(path: string): boolean {
  return Object.hasOwn(contents, basename(path));
}

/**
 * Returns a function that creates each absent file of `paths` whose folder exists. That function returns another one, which
 * removes the files. Calls may overlap.
 */
export function createCommonFolders(): (paths: readonly string[]) => () => void {
  const users = new Map<string, number>();
  return (paths) => {
    const held = paths.filter((path) => users.has(path) || write(path));
    for (const path of held) users.set(path, (users.get(path) ?? 0) + 1);
    return () => {
      for (const path of held) {
        const left = (users.get(path) ?? 1) - 1;
        if (left > 0) users.set(path, left);
        else {
          users.delete(path);
          removeCommonFolder(path);
        }
      }
    };
  };
}

function write(path: string): boolean {
  if (lstatSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  try {
    writeFileSync(path, contentOf(path), { flag: "wx", mode: 0o444 });
    return true;
  } catch (error) {
    // An existing file belongs to the repository and is closed as it is.
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Removes the file if this module has created it as a placeholder. Never throws. */
export function removeCommonFolder(path: string): void {
  try {
    const stats = lstatSync(path);
    if (
      stats.isFile() &&
      stats.size === contentOf(path).length &&
      readFileSync(path, "utf8") === contentOf(path)
    ) {
      unlinkSync(path);
    }
  } catch {
    // The file is already gone.
  }
}

function contentOf(path: string): string {
  return contents[basename(path)] ?? "";
}
