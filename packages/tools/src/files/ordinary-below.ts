/** Searches a folder for names of secrets and protected names. A folder without them is ordinary. */
import { isOrdinary } from "../workspace/ordinary.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { walkBelow } from "./walk-below.ts";

/**
 * Returns true if all names below the folder `path` (without links, relative to the workspace) were read and are ordinary. A folder
 * with very many names is not ordinary.
 */
export function isOrdinaryBelow(workspace: Workspace, path: string): boolean {
  return walkBelow(workspace, path, (below) => (isOrdinary(below) ? undefined : "stop")) === "done";
}
