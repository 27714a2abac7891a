/**
 * Renames what a sandboxed command has left under a name that programs obey. Other commands of the session may still run, so no link
 * is followed, and a command cannot keep something by closing the folder that holds it.
 */
import { closeSync, constants, lstatSync, openSync, readlinkSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setMode } from "@localharness/workspace/files/set-mode";
import { errorCode } from "@localharness/workspace/outcome";
import { statsAt } from "@localharness/workspace/paths/stats-at";

/**
 * Renames the path to one that no program knows. Does nothing if it is absent. Throws the system's error, also if a link is on the
 * way to it.
 */
export function moveAside(path: string): void {
  const folder = dirname(path);
  withAccess(folder, () =>
    inFolder(folder, (held) => {
      const at = join(held, basename(path));
      let number = 1;
      while (statsAt(`${at}.moved-${number}`) !== undefined) number += 1;
      try {
        renameSync(at, `${at}.moved-${number}`);
      } catch (error) {
        if (statsAt(at) !== undefined) throw error;
      }
    }),
  );
}

/** Calls `work` with a path of the folder that stays the same folder, whatever takes its place. Does nothing if the folder is absent. */
function inFolder(folder: string, work: (held: string) => void): void {
  if (process.platform !== "linux") {
    work(folder);
    return;
  }
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    if (/^(?:ENOENT|ENOTDIR)$/.test(errorCode(error))) return;
    throw error;
  }
  try {
    const held = `/proc/self/fd/${descriptor}`;
    if (readlinkSync(held) !== folder) throw new Error(`a link is on the way to ${folder}`);
    work(held);
  } finally {
    closeSync(descriptor);
  }
}

/** Calls each function, also after one that throws. Then throws the first error. */
export function doAll(steps: readonly (() => void)[]): void {
  const errors = steps.flatMap((step) => {
    try {
      step();
      return [];
    } catch (error) {
      return [error];
    }
  });
  if (errors.length > 0) throw errors[0];
}

/** Calls `work`. If the system denies access, calls it again after the owner of `folder` has got access to it. */
export function withAccess<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (errorCode(error) !== "EACCES") throw error;
    giveAccess(folder);
    return work();
  }
}

/** Gives the owner all access to the folder, and to those above it that hinder this. Throws the system's error. */
function giveAccess(folder: string): void {
  const open = () => {
    const stats = lstatSync(folder);
    if (stats.isDirectory()) setMode(folder, (stats.mode & 0o7777) | 0o700);
  };
  try {
    open();
  } catch (error) {
    if (errorCode(error) !== "EACCES" || dirname(folder) === folder) throw error;
    giveAccess(dirname(folder));
    open();
  }
}
