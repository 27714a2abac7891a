/** Finds links inside the `.git` folder of a repository, through which git would read, show and write other files. */
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../outcome.ts";

/** Matches folders that are skipped, because git does not read them, or reads them only for hooks and submodules. */
const passedOver = /^(?:worktrees\/[^/]+\/)?(?:hooks|modules|lfs|annex)$/;
const maxEntries = 200_000;

/** Returns the first link, relative to `folder`; a problem such as `refs/(EACCES)` if not all can be read; or undefined. */
export function linkBelow(folder: string): string | undefined {
  const folders = [""];
  let entries = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    let found: readonly Dirent[];
    try {
      found = readdirSync(join(folder, at), { withFileTypes: true });
    } catch (error) {
      return `${at}(${errorCode(error)})`;
    }
    entries += found.length;
    if (entries > maxEntries) return "(too many files)";
    for (const entry of found) {
      const path = `${at}${entry.name}`;
      if (passedOver.test(path)) continue;
      if (entry.isSymbolicLink()) return path;
      if (entry.isDirectory()) folders.push(`${path}/`);
    }
  }
  return undefined;
}
