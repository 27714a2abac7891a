/** Replaces the content of a file atomically: readers see either the old content or the new content. */
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
  /** The permission bits of a new file, 0666 minus the umask by default. An existing file keeps its permission bits. */
  readonly mode?: number;
  /** The file as it was when the new content was computed. If it has changed since, `FileChangedError` is thrown. */
  readonly expected?: Stats | "absent";
  /** True to wait until file and folder are on the disk, so that the change survives a power loss. */
  readonly durable?: boolean;
}

/** Thrown when the file has changed between reading and replacing it. Nothing was written. */
export class FileChangedError extends Error {
  override readonly name = "FileChangedError";
}

/**
 * Replaces or creates the file `path`, with a temporary file in the same folder. Creates a missing folder with mode 0700.
 * Follows a link at `path`. Rejects with the system's error or a `FileChangedError`. The temporary file is removed then, and
 * the old file is unchanged, unless only the sync of the folder failed (`durable`).
 */
export async function replaceFile(path: string, bytes: Uint8Array, options: ReplaceOptions): Promise<void> {
  const target = followLinks(path);
  const folder = dirname(target);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await replaceIn({ base: folder, folder }, basename(target), bytes, options);
}

/** The folder of the file: `base` is the path for access, `folder` the path in the write journal. */
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
    // A rename ignores the permissions of the file itself, but a read-only file must not be replaced.
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
    // Only root may change the owner of a file. The file is replaced even if that fails.
  }
  fchmodSync(descriptor, old.mode & 0o7777);
}

function refuseChanged(target: string, expected: Stats | "absent" | undefined): void {
  if (expected === undefined) return;
  const now = lstatSync(target, { throwIfNoEntry: false });
  if (expected === "absent" && now === undefined) return;
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
  if (process.platform === "win32") return;
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
    // The file was never created, or the next start removes it.
  }
}

function followLinks(path: string): string {
  let target = path;
  for (let links = 0; links < 40; links += 1) {
    if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  return target;
}
