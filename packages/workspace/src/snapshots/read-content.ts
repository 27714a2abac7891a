/** Reads a file of the workspace that a confined process may exchange at any time. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { sameKey } from "../files/stat-key.ts";

/**
 * Calls `use` with the content and the open file, and returns its value. Returns undefined if the file cannot be read, if it is
 * not the file that `stats` describe, if a link leads to it, or if it changes while it is read.
 */
export function readContent<T>(
  path: string,
  stats: Stats,
  use: (bytes: Buffer, descriptor: number) => T,
): T | undefined {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const before = fstatSync(descriptor);
    if (before.dev !== stats.dev || !sameKey(before, stats) || !isAt(descriptor, path)) return undefined;
    const bytes = readAll(descriptor, before.size);
    const used = bytes === undefined ? undefined : use(bytes, descriptor);
    return sameKey(fstatSync(descriptor), before) ? used : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Returns true if the open file is at the path itself, with no link on the way. */
function isAt(descriptor: number, path: string): boolean {
  if (process.platform === "linux") return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
  return join(realpathSync.native(dirname(path)), basename(path)) === path;
}

function readAll(descriptor: number, size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let filled = 0; filled < size; ) {
    const count = readSync(descriptor, bytes, filled, size - filled, filled);
    if (count === 0) return undefined;
    filled += count;
  }
  return bytes;
}
