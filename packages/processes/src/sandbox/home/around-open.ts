/** Shows a folder around the folders that commands can write: a mount of the whole folder would make these read-only. */
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathInside } from "@localharness/workspace/paths/door";

/** The maximum number of entries that are shown of one folder. The others stay hidden. */
const maxEntries = 1_000;

/** Returns the folder if no path of `open` is below it, else all its entries that neither are nor contain such a path. */
export function aroundOpen(folder: string, open: readonly string[]): readonly string[] {
  if (open.some((path) => pathInside(path, folder) !== undefined)) return [];
  if (!open.some((path) => pathInside(folder, path) !== undefined)) return [folder];
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? aroundOpen(path, open) : [path];
  });
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).slice(0, maxEntries);
  } catch {
    return [];
  }
}
