/** Searches a folder for names of secrets and protected names. A folder without them is ordinary. */
import { isOrdinaryIn } from "../paths/ordinary.ts";
import type { Workspace } from "../paths/workspace.ts";
import { walkBelow } from "./walk-below.ts";

/**
 * Returns true if all names below the folder were read and are ordinary; false also for more than 10,000 names. `path` is
 * physical.
 */
export function isOrdinaryBelow(workspace: Workspace, path: string): boolean {
  return (
    walkBelow(workspace, path, (below) => (isOrdinaryIn(workspace, below) ? undefined : "stop")) === "done"
  );
}
