/**
 * Stores the contents of snapshots: small ones one after the other in packs, large ones in files of their own, which share
 * their blocks with the original where the file system can. All sessions use one folder. Its size never exceeds the quota: the
 * packs and files that were written first are removed first.
 */

import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { openPlain, requirePlain, withoutWaiting } from "../files/plain-file.ts";

/** The place of a content: a file of the store, and a part of it. */
export interface ContentPlace {
  readonly unit: string;
  readonly offset: number;
  readonly size: number;
}

export interface ContentPacks {
  /** Finds out which files of the store are still there. Never throws. */
  refresh(): void;
  has(place: ContentPlace): boolean;
  /**
   * Takes a content, which is stored at the latest with `flush`. `descriptor` is the open file with that content. Returns
   * undefined if the content does not fit the quota, or cannot be written.
   */
  add(bytes: Buffer, hash: string, descriptor: number): ContentPlace | undefined;
  /** Writes what is not written yet. Returns false if a content that was taken since the last `flush` is not stored. */
  flush(): boolean;
  /** Returns the content; undefined if it was removed or cannot be read. */
  read(place: ContentPlace): Buffer | undefined;
  close(): void;
}

/** From this size on a content gets a file of its own. */
const ownFileBytes = 256 * 1024;
const bufferBytes = 1024 * 1024;
/** The largest part of the quota that one pack takes, so that little is removed at once. */
const packsPerQuota = 32;
const largestPack = 16 * 1024 * 1024;

interface Unit {
  readonly size: number;
  readonly time: number;
}

interface Store {
  readonly folder: string;
  readonly quota: number;
  units: Map<string, Unit>;
  total: number;
  folderTime: number;
  pack: { readonly name: string; readonly descriptor: number; size: number } | undefined;
  waiting: Buffer[];
  waitingBytes: number;
  failed: boolean;
}

/** Returns the folder of all snapshots. */
export function snapshotsFolder(stateFolder: string): string {
  return join(stateFolder, "snapshots");
}

export function openContentPacks(folder: string, quota: number): ContentPacks {
  const store: Store = {
    ...{ folder, quota, units: new Map(), total: 0, folderTime: -1 },
    ...{ pack: undefined, waiting: [], waitingBytes: 0, failed: false },
  };
  return {
    refresh: () => refresh(store),
    has: ({ unit }) => store.units.has(unit),
    add: (bytes, hash, descriptor) => {
      try {
        return bytes.length >= ownFileBytes
          ? addFile(store, bytes, hash, descriptor)
          : addToPack(store, bytes);
      } catch {
        store.failed = true;
        return undefined;
      }
    },
    flush: () => {
      flush(store);
      const ok = !store.failed;
      store.failed = false;
      return ok;
    },
    read: (place) => read(store, place),
    close: () => endPack(store),
  };
}

const isUnit = (name: string) => /^(?:pack-[0-9a-f-]{36}|[0-9a-f]{64})$/.test(name);

function refresh(store: Store): void {
  const stats = statSync(store.folder, { throwIfNoEntry: false });
  const time = stats?.mtimeMs ?? -1;
  if (time === store.folderTime && time < Date.now() - 1000) return;
  store.folderTime = time;
  store.units = new Map();
  store.total = 0;
  for (const name of stats === undefined ? [] : readdirSync(store.folder).filter(isUnit)) {
    const found = statSync(join(store.folder, name), { throwIfNoEntry: false });
    if (found?.isFile() !== true) continue;
    setUnit(store, name, { size: found.size, time: found.mtimeMs });
  }
  const { pack } = store;
  // Another session has removed the pack, so what would be added to it would be lost.
  if (pack !== undefined && !store.units.has(pack.name)) endPack(store);
}

function setUnit(store: Store, name: string, unit: Unit): void {
  store.total += unit.size - (store.units.get(name)?.size ?? 0);
  store.units.set(name, unit);
}

/** Removes the oldest files until `bytes` more fit. Returns false if that is impossible. */
function makeRoom(store: Store, bytes: number): boolean {
  if (bytes > store.quota) return false;
  if (store.total + bytes <= store.quota) return true;
  const oldest = [...store.units].toSorted(([, one], [, other]) => one.time - other.time);
  for (const [name, { size }] of oldest) {
    if (store.total + bytes <= store.quota) break;
    if (name === store.pack?.name) continue;
    rmSync(join(store.folder, name), { force: true });
    store.units.delete(name);
    store.total -= size;
  }
  return store.total + bytes <= store.quota;
}

function addToPack(store: Store, bytes: Buffer): ContentPlace | undefined {
  const packBytes = Math.min(largestPack, Math.max(ownFileBytes, Math.floor(store.quota / packsPerQuota)));
  if (store.pack !== undefined && store.pack.size + bytes.length > packBytes) {
    flush(store);
    endPack(store);
  }
  if (!makeRoom(store, bytes.length)) return undefined;
  store.pack ??= beginPack(store);
  const { pack } = store;
  const place = { unit: pack.name, offset: pack.size, size: bytes.length };
  pack.size += bytes.length;
  setUnit(store, pack.name, { size: pack.size, time: Date.now() });
  store.waiting.push(bytes);
  store.waitingBytes += bytes.length;
  if (store.waitingBytes >= bufferBytes) flush(store);
  return place;
}

function beginPack(store: Store): NonNullable<Store["pack"]> {
  mkdirSync(store.folder, { recursive: true, mode: 0o700 });
  const name = `pack-${randomUUID()}`;
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const descriptor = openPlain(join(store.folder, name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  return { name, descriptor, size: 0 };
}

function flush(store: Store): void {
  const { pack, waiting } = store;
  if (pack === undefined || waiting.length === 0) return;
  const bytes = Buffer.concat(waiting);
  store.waiting = [];
  store.waitingBytes = 0;
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(pack.descriptor, bytes, at);
  } catch {
    store.failed = true;
    endPack(store);
    // What is in the pack cannot be told from what is not.
    rmSync(join(store.folder, pack.name), { force: true });
    store.total -= store.units.get(pack.name)?.size ?? 0;
    store.units.delete(pack.name);
  }
}

function endPack(store: Store): void {
  if (store.pack !== undefined) closeSync(store.pack.descriptor);
  store.pack = undefined;
}

function addFile(store: Store, bytes: Buffer, hash: string, descriptor: number): ContentPlace | undefined {
  const place = { unit: hash, offset: 0, size: bytes.length };
  const path = join(store.folder, hash);
  if (store.units.get(hash)?.size === bytes.length) {
    const now = new Date();
    utimesSync(path, now, now);
    setUnit(store, hash, { size: bytes.length, time: now.getTime() });
    return place;
  }
  if (!makeRoom(store, bytes.length)) return undefined;
  mkdirSync(store.folder, { recursive: true, mode: 0o700 });
  const { COPYFILE_EXCL, COPYFILE_FICLONE } = constants;
  try {
    rmSync(path, { force: true });
    if (process.platform === "linux") {
      copyFileSync(`/proc/self/fd/${descriptor}`, path, COPYFILE_EXCL | COPYFILE_FICLONE);
      chmodSync(path, 0o600);
      // A command in the background may have changed the file since its content was read.
      if (!readFileSync(path).equals(bytes)) {
        rmSync(path, { force: true });
        return undefined;
      }
    } else {
      writeWhole(path, bytes);
    }
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
  setUnit(store, hash, { size: bytes.length, time: Date.now() });
  return place;
}

function writeWhole(path: string, bytes: Buffer): void {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const descriptor = openPlain(path, O_WRONLY | O_CREAT | O_EXCL, 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
  } finally {
    closeSync(descriptor);
  }
}

function read(store: Store, { unit, offset, size }: ContentPlace): Buffer | undefined {
  if (!isUnit(unit)) return undefined;
  try {
    const descriptor = openSync(join(store.folder, unit), withoutWaiting(constants.O_RDONLY));
    try {
      requirePlain(fstatSync(descriptor));
      const bytes = Buffer.alloc(size);
      let filled = 0;
      while (filled < size) {
        const count = readSync(descriptor, bytes, filled, size - filled, offset + filled);
        if (count === 0) return undefined;
        filled += count;
      }
      return bytes;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}
