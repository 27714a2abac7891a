/** Looks at what is at a path. */
import { lstatSync, type Stats } from "node:fs";
import { errorCode } from "../outcome.ts";

/**
 * Returns the state of what is at the path, also of a link there; undefined if nothing is, which includes every path below a
 * file. Throws the system's other errors.
 */
export function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Returns true for a folder, and false for a link to one. Throws as `statsAt` does. */
export function isFolderAt(path: string): boolean {
  return statsAt(path)?.isDirectory() === true;
}
