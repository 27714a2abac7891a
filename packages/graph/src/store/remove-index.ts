import { rmSync } from "node:fs";

/** Removes the files of an index. A missing file is not an error. */
export function removeIndex(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true, recursive: true });
}
