/** Searches a folder that will be deleted for protected names. Does not follow links. */
import { type Dirent, readdirSync } from "node:fs";
import type { Concern } from "@localharness/engine";
import { protectedConcern } from "../examine/protected-concern.ts";
import { closedName } from "../paths/protected.ts";
import type { Workspace } from "../paths/workspace.ts";

/** The maximum number of entries that are searched. For a larger folder the person is asked too. */
const maxEntries = 20_000;
/** The names of folders that are not searched, because package managers can restore their contents. */
const replaceable = new Set(["node_modules", ".venv", "venv", "target", "__pycache__"]);

/**
 * Returns a concern if the folder has a protected name or too many entries below it; else undefined. A folder that cannot be
 * read counts as empty. `path` is physical.
 */
export function concernBelow(workspace: Workspace, path: string): Concern | undefined {
  const waiting = [path];
  let count = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries = entriesOf(workspace, folder);
    count += entries.length;
    if (count > maxEntries) {
      return {
        id: "protected:unknown",
        decision: "ask",
        reason: `"${path}" holds more than ${maxEntries} files and folders, too many to look for protected ones`,
      };
    }
    for (const entry of entries) {
      const below = `${folder}/${entry.name}`;
      const name = closedName(below.slice(path.length + 1));
      if (name !== undefined) return protectedConcern(below, name);
      if (entry.isDirectory() && !replaceable.has(entry.name)) {
        waiting.push(below);
      }
    }
  }
  return undefined;
}

function entriesOf(workspace: Workspace, folder: string): readonly Dirent[] {
  const opened = workspace.openDirectory(folder);
  if (!opened.ok) return [];
  using directory = opened.value;
  try {
    return readdirSync(directory.base, { withFileTypes: true });
  } catch {
    return [];
  }
}
