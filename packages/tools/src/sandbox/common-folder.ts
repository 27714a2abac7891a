/**
 * `.git/commondir` names the repository that git takes programs from. Git stumbles over an empty one, so in place of an
 * absent one stands one that names its own folder: git outside of the sandbox goes on while a command runs.
 */
import { lstatSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const ownFolder = ".\n";

/** Makes those of `paths` that are absent and belong there; returns what takes them away. Calls may overlap. */
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
    // One that is there is the repository's own, and closed as it is.
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Removes one of ours and nothing else. Never throws. */
export function removeCommonFolder(path: string): void {
  try {
    const stats = lstatSync(path);
    if (stats.isFile() && stats.size === ownFolder.length && readFileSync(path, "utf8") === ownFolder)
      unlinkSync(path);
  } catch {
    // It is gone already.
  }
}
