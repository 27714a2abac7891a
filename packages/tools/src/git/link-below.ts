/** Links among the parts of a repository: git would read, show and write what they lead to. */
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../outcome.ts";

/** Git reads these only to start hooks and in submodules, or not itself. */
const passedOver = /^(?:worktrees\/[^/]+\/)?(?:hooks|modules|lfs|annex)$/;
const mostEntries = 200_000;

/** The first link, relative to `folder`; for what cannot be looked at, what it is in brackets. */
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
    if (entries > mostEntries) {
      return "(too many files)";
    }
    for (const entry of found) {
      const path = `${at}${entry.name}`;
      if (passedOver.test(path)) {
        continue;
      }
      if (entry.isSymbolicLink()) {
        return path;
      }
      if (entry.isDirectory()) {
        folders.push(`${path}/`);
      }
    }
  }
  return undefined;
}
