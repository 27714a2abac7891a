/** Reads the current branch and commit from git's files, for display and comparison, without starting git. */
import { dirname, join, resolve } from "node:path";
import { oneLine, placeNamedBy, textOf } from "./git-file.ts";

const maxPackedBytes = 16 * 1024 * 1024;

/** Returns the name of the branch, or the first 8 characters of the commit if detached; undefined outside a repository. */
export function readBranch(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const head = oneLine(join(ownFolder(at), "HEAD"));
    if (head !== undefined) return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? head.slice(0, 8);
    if (dirname(at) === at) return undefined;
  }
}

/** Returns branch and commit of the repository at `root` as one text to compare; empty if there is no repository. */
export function readCommit(root: string): string {
  const folder = ownFolder(root);
  const head = oneLine(join(folder, "HEAD")) ?? "";
  const ref = /^ref: (refs\/.+)$/.exec(head)?.[1];
  if (ref === undefined || ref.includes("..")) return head;
  const shared = resolve(folder, oneLine(join(folder, "commondir")) ?? ".");
  const packed = () =>
    textOf(join(shared, "packed-refs"), maxPackedBytes)
      ?.split("\n")
      .find((line) => line.endsWith(` ${ref}`))
      ?.split(" ", 1)[0];
  return `${ref} ${oneLine(join(shared, ref)) ?? packed() ?? ""}`;
}

/** Returns the folder with HEAD. Trusts a `.git` file that names another folder, even where git would not. */
function ownFolder(home: string): string {
  const marker = join(home, ".git");
  return resolve(home, placeNamedBy(marker) ?? marker);
}
