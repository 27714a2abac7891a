/** Removes what a later start can remove as well. */
import { type RmOptions, rmSync } from "node:fs";

export function removeQuietly(path: string, options: RmOptions = {}): void {
  try {
    rmSync(path, { force: true, ...options });
  } catch {
    // Another user may own the folder, after a start with sudo.
  }
}
