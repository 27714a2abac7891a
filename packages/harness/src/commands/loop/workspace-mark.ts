/** Computes a fingerprint of a workspace. It changes when a file changes or something is committed. */
import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { readCommit } from "@localharness/workspace/git-files/checked-out";

/** The names of folders that are left out, because they belong to version control or contain installed packages. */
const skipped: ReadonlySet<string> = new Set([".git", "node_modules", ".hg", ".svn"]);
const maxFiles = 50_000;

/** Returns a hash of the current commit and of the names, sizes and times of about the first 50,000 files. Never throws. */
export async function workspaceMark(root: string): Promise<string> {
  const hash = createHash("sha256");
  hash.update(readCommit(root));
  const waiting = [""];
  for (let seen = 0; waiting.length > 0 && seen < maxFiles; ) {
    const folder = waiting.pop() ?? "";
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      seen += 1;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) waiting.push(path);
      } else if (entry.isFile()) hash.update(await fileMark(root, path));
    }
  }
  return hash.digest("hex");
}

async function fileMark(root: string, path: string): Promise<string> {
  const found = await stat(join(root, path)).catch(() => undefined);
  return found === undefined ? "" : `${path}\0${found.size}\0${found.mtimeMs}\0`;
}
