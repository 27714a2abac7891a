/** Removes files and folders that a later start removes if it fails now. */
import { type RmOptions, rmSync } from "node:fs";

/** Removes a file, or with `recursive` also a folder. Ignores every failure. */
export function removeQuietly(path: string, options: RmOptions = {}): void {
  try {
    rmSync(path, { force: true, ...options });
  } catch {
    // Another user may own the folder, after a start with sudo.
  }
}
