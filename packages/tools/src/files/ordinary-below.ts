/** Searches a folder for names of secrets and protected names. A folder without them is ordinary. Does not follow links. */
import { readdirSync } from "node:fs";
import { isOrdinary } from "../workspace/ordinary.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** The maximum number of entries that are searched. A larger folder is treated as not ordinary. */
const maxEntries = 10_000;

/** Returns true if all names below the folder `path` (without links, relative to the workspace) were read and are ordinary. */
export function isOrdinaryBelow(workspace: Workspace, path: string): boolean {
  const waiting = [path];
  let count = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const opened = workspace.openDirectory(folder);
    if (!opened.ok) return false;
    using directory = opened.value;
    try {
      const entries = readdirSync(directory.base, { withFileTypes: true });
      count += entries.length;
      if (count > maxEntries) return false;
      for (const entry of entries) {
        const below = folder === "." ? entry.name : `${folder}/${entry.name}`;
        if (!isOrdinary(below)) return false;
        if (entry.isDirectory()) waiting.push(below);
      }
    } catch {
      return false;
    }
  }
  return true;
}
