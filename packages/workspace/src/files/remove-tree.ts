/** Deletes a folder with its contents, through open folders. Deletes links without following them. */
import { closeSync, constants, lstatSync, openSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";

export interface Removed {
  readonly files: number;
  readonly folders: number;
}

/**
 * Deletes the folder `path` and returns the numbers of deleted files and folders, `path` included. If it throws the system's
 * error, a part may have been deleted.
 */
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

/** Opens the folder. On Linux the path `base` leads to the open folder, so that no other folder can take its place. */
function holdFolder(path: string): { readonly base: string; close(): void } {
  if (process.platform !== "linux") return { base: path, close: () => {} };
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  return { base: `/proc/self/fd/${descriptor}`, close: () => closeSync(descriptor) };
}
