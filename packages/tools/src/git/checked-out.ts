/** What is checked out, as the files of git say it. It is only shown and compared: nothing is started for it. */
import { dirname, join, resolve } from "node:path";
import { oneLine, placeNamedBy, textOf } from "./git-file.ts";

const mostPackedBytes = 16 * 1024 * 1024;

/** The name of the branch, the beginning of the commit when there is none, undefined outside of git. */
export function readBranch(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const head = oneLine(join(ownFolder(at), "HEAD"));
    if (head !== undefined) {
      return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? head.slice(0, 8);
    }
    if (dirname(at) === at) {
      return undefined;
    }
  }
}

/** The branch and its commit, as one text to compare, of the repository at `root`; empty when there is none. */
export function readCommit(root: string): string {
  const folder = ownFolder(root);
  const head = oneLine(join(folder, "HEAD")) ?? "";
  const ref = /^ref: (refs\/.+)$/.exec(head)?.[1];
  if (ref === undefined || ref.includes("..")) {
    return head;
  }
  const shared = resolve(folder, oneLine(join(folder, "commondir")) ?? ".");
  const packed = () =>
    textOf(join(shared, "packed-refs"), mostPackedBytes)
      ?.split("\n")
      .find((line) => line.endsWith(` ${ref}`))
      ?.split(" ", 1)[0];
  return `${ref} ${oneLine(join(shared, ref)) ?? packed() ?? ""}`;
}

/** Where HEAD is; what is said of a place elsewhere is taken as it is, also when git would not. */
function ownFolder(home: string): string {
  const marker = join(home, ".git");
  return resolve(home, placeNamedBy(marker) ?? marker);
}
