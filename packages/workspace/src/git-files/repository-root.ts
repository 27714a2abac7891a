/** Finds the root of the repository that a folder belongs to, without starting git. */
import { lstatSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathInside } from "../paths/door.ts";
import { realAsFar } from "../paths/real-as-far.ts";

/**
 * Returns the nearest folder above `folder`, or `folder` itself, that has an entry `.git`. Returns undefined if there is none,
 * if it has another owner than `folder`, and if it is the home folder or contains it. `folder` must be a real path.
 */
export function repositoryRoot(folder: string, home: string = homedir()): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsAt(join(at, ".git"))) {
      const isTooWide = home !== "" && pathInside(at, realAsFar(resolve(home))) !== undefined;
      return isTooWide || ownerOf(at) !== ownerOf(folder) ? undefined : at;
    }
    if (dirname(at) === at) return undefined;
  }
}

function existsAt(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function ownerOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.uid;
}
