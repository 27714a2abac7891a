/** Decides which files can be read without a question in a trusted folder. */
import { protectedRow } from "./protected.ts";
import { secretName } from "./secret-name.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Returns true for a path, relative to the folder `root`, that has neither the name of a secret nor a protected name, because protected files may contain keys
 * too. A protected file that is common in projects, such as instructions, is ordinary. What the path of `root` itself names
 * counts for secrets only: in a workspace `~/.config/nvim` sources are read like anywhere.
 */
export function isOrdinary(path: string, root: string): boolean {
  const row = protectedRow(path);
  return secretName(path, root) === undefined && (row === undefined || row.common === true);
}

/** Returns true for a physical path that is ordinary in its folder: the workspace, or one that the person added. */
export function isOrdinaryIn(workspace: Pick<Workspace, "placeOf">, path: string): boolean {
  const place = workspace.placeOf(path);
  return isOrdinary(place.path, place.root);
}
