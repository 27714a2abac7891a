/** Deletes a folder with all in it, from open folder to open folder: links are deleted, never followed. */
import { closeSync, constants, lstatSync, openSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";

export interface Removed {
  readonly files: number;
  readonly folders: number;
}

/** `path` names a folder. Throws the system's error; what was deleted until then stays deleted. */
export function removeTree(path: string): Removed {
  const removed = { files: 0, folders: 0 };
  emptyFolder(path, removed);
  rmdirSync(path);
  removed.folders += 1;
  return removed;
}

function emptyFolder(path: string, removed: { files: number; folders: number }): void {
  const { base, close } = holdFolder(path);
  try {
    for (const name of readdirSync(base)) {
      const entry = `${base}/${name}`;
      if (lstatSync(entry).isDirectory()) {
        emptyFolder(entry, removed);
        rmdirSync(entry);
        removed.folders += 1;
      } else {
        unlinkSync(entry);
        removed.files += 1;
      }
    }
  } finally {
    close();
  }
}

/** On Linux a path of the open folder, which stays the same when someone exchanges the name. */
function holdFolder(path: string): { readonly base: string; close(): void } {
  if (process.platform !== "linux") {
    return { base: path, close: () => {} };
  }
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  return { base: `/proc/self/fd/${descriptor}`, close: () => closeSync(descriptor) };
}
