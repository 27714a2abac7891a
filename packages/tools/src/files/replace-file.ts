/** Puts a whole new content in place of a file in one step: whoever looks finds the old one or the new one. */
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  type Stats,
  fsync as syncDescriptor,
  unlinkSync,
  write as writeDescriptor,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { WriteJournal } from "./write-journal.ts";

export interface ReplaceOptions {
  readonly journal: WriteJournal;
  /** Permission bits of a new file; an existing file keeps its own. Default: 0666 less the umask. */
  readonly mode?: number;
  /** What was there when the new content was made: when it is another one now, `FileChangedError` is thrown. */
  readonly expected?: Stats | "absent";
  /** Also waits until the new name is on the disk, for what must survive a power loss. */
  readonly durable?: boolean;
}

/** The file was changed by someone else between the look at it and the replacement. Nothing was written. */
export class FileChangedError extends Error {
  override readonly name = "FileChangedError";
}

/**
 * Replaces (or makes) the file `path`, with a temporary file in the same folder, which is made when missing (0700).
 * A link at `path` is followed.
 * On any error the old file is as it was, the temporary file is gone, and the system's error is thrown.
 */
export async function replaceFile(path: string, bytes: Uint8Array, options: ReplaceOptions): Promise<void> {
  const target = followLinks(path);
  const folder = dirname(target);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await replaceIn({ base: folder, folder }, basename(target), bytes, options);
}

/** Where to replace: `base` is the path used for access, `folder` the one on record for the sweep. */
export interface ReplacePlace {
  readonly base: string;
  readonly folder: string;
}

export async function replaceIn(
  place: ReplacePlace,
  name: string,
  bytes: Uint8Array,
  options: ReplaceOptions,
): Promise<void> {
  const target = join(place.base, name);
  const old = lstatSync(target, { throwIfNoEntry: false });
  if (old !== undefined) {
    // A rename asks nothing of the file itself; read-only means read-only all the same.
    accessSync(target, constants.W_OK);
  }
  const temporary = join(place.base, options.journal.temporaryName(place.folder, name));
  try {
    await writeNew(temporary, bytes, old, options.mode ?? 0o666);
    refuseChanged(target, options.expected);
    renameSync(temporary, target);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  if (options.durable === true) {
    syncFolder(place.base);
  }
}

async function writeNew(
  path: string,
  bytes: Uint8Array,
  old: Stats | undefined,
  mode: number,
): Promise<void> {
  const descriptor = openSync(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
    old === undefined ? mode : 0o600,
  );
  try {
    let written = 0;
    while (written < bytes.length) {
      written += await writeOnce(descriptor, bytes, written);
    }
    if (old !== undefined) {
      keepOwnerAndMode(descriptor, old);
    }
    await sync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function keepOwnerAndMode(descriptor: number, old: Stats): void {
  try {
    fchownSync(descriptor, old.uid, old.gid);
  } catch {
    // Only the system's administrator may give files away; the content matters more.
  }
  fchmodSync(descriptor, old.mode & 0o7777);
}

function refuseChanged(target: string, expected: Stats | "absent" | undefined): void {
  if (expected === undefined) {
    return;
  }
  const now = lstatSync(target, { throwIfNoEntry: false });
  if (expected === "absent" && now === undefined) {
    return;
  }
  if (
    expected === "absent" ||
    now === undefined ||
    now.ino !== expected.ino ||
    now.size !== expected.size ||
    now.mtimeMs !== expected.mtimeMs
  ) {
    throw new FileChangedError(`${basename(target)} was changed by someone else meanwhile`);
  }
}

function writeOnce(descriptor: number, bytes: Uint8Array, from: number): Promise<number> {
  return new Promise((resolve, reject) => {
    writeDescriptor(descriptor, bytes, from, bytes.length - from, null, (error, count) =>
      error === null ? resolve(count) : reject(error),
    );
  });
}

function sync(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    syncDescriptor(descriptor, (error) => (error === null ? resolve() : reject(error)));
  });
}

function syncFolder(path: string): void {
  if (process.platform === "win32") {
    return;
  }
  const descriptor = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made, or the sweep at the next start takes it.
  }
}

function followLinks(path: string): string {
  let target = path;
  for (let links = 0; links < 40; links += 1) {
    if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() !== true) {
      return target;
    }
    target = resolve(dirname(target), readlinkSync(target));
  }
  return target;
}
