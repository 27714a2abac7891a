/** Declares what the workspace returns: open files and folders instead of path strings. A `using` block closes them. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  read as readDescriptor,
  readSync,
  type Stats,
} from "node:fs";
import { found, type Outcome, refused, systemFailure } from "../outcome.ts";
import type { Hold } from "./door.ts";

/** An open folder of the workspace. */
export interface Directory {
  /** Physical path relative to the root, `.` for the root itself. */
  readonly path: string;
  /** A path to exactly this folder, for system calls that need a path. */
  readonly base: string;
  readonly stats: Stats;
  /** Returns a path to the entry `name` of exactly this folder. `name` must be a single component. */
  at(name: string): string;
  [Symbol.dispose](): void;
}

/** A regular file of the workspace, opened for reading. */
export interface OpenFile {
  /** Physical path relative to the root. */
  readonly path: string;
  readonly stats: Stats;
  /** Reads at most `limit` bytes from the start. Rejects with the system's error. */
  read(limit: number): Promise<Buffer>;
  /**
   * Yields the content in pieces of at most 1 MiB. A piece is valid only until the next piece is read. Throws the system's
   * error.
   */
  pieces(): AsyncGenerator<Buffer>;
  [Symbol.dispose](): void;
}

/** A name in an open folder, whether it exists or not. */
export interface Entry {
  readonly directory: Directory;
  readonly name: string;
  /** Physical path relative to the root. */
  readonly path: string;
  /** Stats of the entry itself (links are not followed); undefined if it does not exist. */
  readonly stats: Stats | undefined;
  [Symbol.dispose](): void;
}

export function directoryOf(path: string, hold: Hold): Directory {
  return {
    path: path === "" ? "." : path,
    base: hold.base,
    stats: hold.stats,
    at: (name) => `${hold.base}/${name}`,
    [Symbol.dispose]: () => hold.close(),
  };
}

export function entryOf(directory: Directory, name: string): Entry {
  return {
    directory,
    name,
    path: directory.path === "." ? name : `${directory.path}/${name}`,
    stats: lstatSync(directory.at(name), { throwIfNoEntry: false }),
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

/** Opens the file of a hold for reading. Takes ownership of the hold. `shown` is the path for messages. */
export function openHeldFile(path: string, hold: Hold, shown: string): Outcome<OpenFile> {
  try {
    const kind = refuseUnlessFile(hold.stats, shown);
    if (kind !== undefined) return kind;
    const descriptor = openSync(hold.base, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = hold.certain ? hold.stats : fstatSync(descriptor);
    if (stats.ino !== hold.stats.ino || stats.dev !== hold.stats.dev) {
      closeSync(descriptor);
      return refused("io_error", `"${shown}" was exchanged while it was being opened. Try again.`);
    }
    return found({
      path,
      stats,
      read: (limit) => readUpTo(descriptor, limit, stats.size),
      pieces: () => readPieces(descriptor, stats.size),
      [Symbol.dispose]: () => closeSync(descriptor),
    });
  } catch (error) {
    return systemFailure(error, shown);
  } finally {
    hold.close();
  }
}

/** Returns a failure for anything but a regular file. */
export function refuseUnlessFile(stats: Stats, shown: string) {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) {
    return refused(
      "io_error",
      `"${shown}" is a folder, a file was expected. Use ls to list it, or name a file in it.`,
    );
  }
  return refused(
    "validation_failed",
    `"${shown}" is a ${specialKind(stats)}, not a regular file. It is not opened.`,
  );
}

/** Returns the kind of a special file in words. */
function specialKind(stats: Stats): string {
  if (stats.isFIFO()) return "named pipe (FIFO)";
  if (stats.isSocket()) return "socket";
  if (stats.isSymbolicLink()) return "link";
  return stats.isCharacterDevice() || stats.isBlockDevice() ? "device" : "special file";
}

async function readUpTo(descriptor: number, limit: number, size: number): Promise<Buffer> {
  // One byte more than the size detects a file that grows.
  let buffer = Buffer.allocUnsafe(Math.min(limit, size + 1));
  let filled = 0;
  while (filled < limit) {
    if (filled === buffer.length) {
      buffer = Buffer.concat([buffer, Buffer.allocUnsafe(Math.min(limit - filled, maxAtOnce))]);
    }
    const count = await readOnce(descriptor, buffer, filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

async function* readPieces(descriptor: number, size: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(1024 * 1024, size + 1));
  for (let position = 0; ; ) {
    const count = await readOnce(descriptor, buffer, 0, position);
    if (count === 0) return;
    position += count;
    yield buffer.subarray(0, count);
  }
}

/**
 * The maximum number of bytes that are read synchronously. Passing the read to another thread takes longer than the read
 * itself.
 */
const maxAtOnce = 65_536;

async function readOnce(descriptor: number, buffer: Buffer, from: number, position = from): Promise<number> {
  const room = buffer.length - from;
  if (room <= maxAtOnce) return readSync(descriptor, buffer, from, room, position);
  return await new Promise((resolve, reject) => {
    readDescriptor(descriptor, buffer, from, room, position, (error, count) =>
      error === null ? resolve(count) : reject(error),
    );
  });
}
