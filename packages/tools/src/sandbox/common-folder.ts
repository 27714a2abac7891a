/**
 * Creates placeholders for an absent `.git/commondir`, the file that names the repository from which git takes programs.
 * Git fails if that file is empty. So the placeholder names the folder that contains it, and git outside the sandbox works
 * meanwhile.
 */
import { lstatSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const ownFolder = ".\n";

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
    writeFileSync(path, ownFolder, { flag: "wx", mode: 0o444 });
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
    if (stats.isFile() && stats.size === ownFolder.length && readFileSync(path, "utf8") === ownFolder) {
      unlinkSync(path);
    }
  } catch {
    // The file is already gone.
  }
}
