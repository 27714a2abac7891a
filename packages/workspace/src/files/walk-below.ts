/** Visits the names below a folder. Does not follow links. */
import { type Dirent, readdirSync } from "node:fs";
import type { Workspace } from "../paths/workspace.ts";

/** The maximum number of entries that are visited. */
const maxEntries = 10_000;

/**
 * Calls `visit` for each entry below the folder `top`, with its path relative to the workspace. If `visit` returns `skip`,
 * leaves out what is below the entry. Returns `stopped` as soon as `visit` returns `stop`, `unread` if a folder cannot be
 * read or there are too many entries, and else `done`.
 */
export function walkBelow(
  workspace: Workspace,
  top: string,
  visit: (path: string, entry: Dirent) => "stop" | "skip" | undefined,
): "done" | "stopped" | "unread" {
  const waiting = [top];
  let count = 0;
  let unread = false;
  // The walk is breadth first, so that the limit leaves out the deepest folders.
  for (const folder of waiting) {
    const entries = entriesOf(workspace, folder);
    unread ||= entries === undefined;
    count += entries?.length ?? 0;
    if (count > maxEntries) return "unread";
    for (const entry of entries ?? []) {
      const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
      const wish = visit(path, entry);
      if (wish === "stop") return "stopped";
      if (wish !== "skip" && entry.isDirectory()) waiting.push(path);
    }
  }
  return unread ? "unread" : "done";
}

function entriesOf(workspace: Workspace, folder: string): readonly Dirent[] | undefined {
  const opened = workspace.openDirectory(folder);
  if (!opened.ok) return undefined;
  using directory = opened.value;
  try {
    return readdirSync(directory.base, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
