/** Searches a folder for names of secrets. */
import { secretName } from "../paths/secret-name.ts";
import type { Workspace } from "../paths/workspace.ts";
import { walkBelow } from "./walk-below.ts";

/** The names of folders that are not searched: installed packages, whose keys are examples, and the folder of git. */
const leftOut: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/**
 * Returns the path of the first file below `folder` that has the name of a secret and that `isMeant` accepts; undefined if
 * none was found. Visits at most 10,000 entries, and leaves out folders that cannot be read.
 */
export function secretBelow(
  workspace: Workspace,
  folder: string,
  isMeant: (path: string) => boolean,
): string | undefined {
  let found: string | undefined;
  walkBelow(workspace, folder, (path, entry) => {
    if (leftOut.has(entry.name)) return "skip";
    if (!entry.isFile() || secretName(path, workspace.root) === undefined || !isMeant(path)) return undefined;
    found = path;
    return "stop";
  });
  return found;
}
