/** Finds the submodules of a repository, which git enters by itself if its settings permit. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { statsAt } from "../paths/stats-at.ts";
import { bytesOf } from "./git-file.ts";
import type { GitFolder } from "./git-folder.ts";
import { readEntries } from "./read-config.ts";

const maxIndexBytes = 256 * 1024 * 1024;
const maxTextBytes = 1_000_000;

/** Returns true for an index mode that means a commit of another repository. */
export function isSubmoduleMode(mode: number): boolean {
  return (mode & 0o170000) === 0o160000;
}

/**
 * Returns every name that git may use for a submodule of the repository in the folder `home`; undefined if `.gitmodules`
 * cannot be read with certainty. Without `.gitmodules`: none if the index lists no submodule, and else undefined, because
 * git then reads the staged or committed version. `hashBytes` is 20, or 32 for SHA-256.
 */
export function submoduleNames(
  home: string,
  { own, shared }: GitFolder,
  hashBytes: number,
): readonly string[] | undefined {
  const path = join(home, ".gitmodules");
  const stats = statsAt(path);
  // While a sandboxed command runs, a socket may be the placeholder of an absent file.
  if (stats === undefined || stats.isSocket()) {
    return holdsSubmodules(own, hashBytes) || (own !== shared && holdsSubmodules(shared, hashBytes))
      ? undefined
      : [];
  }
  const bytes = stats.isFile() ? bytesOf(path, maxTextBytes) : undefined;
  const entries = bytes && readEntries(bytes);
  const names = entries?.flatMap(({ key }) => /^submodule\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? []);
  return names === undefined ? undefined : [...new Set(names)];
}

/** Returns true if an index lists submodules or cannot be parsed. */
function holdsSubmodules(folder: string, hashBytes: number): boolean {
  const files = readdirSync(folder).filter((name) => name === "index" || name.startsWith("sharedindex."));
  return files.some((name) => {
    const path = join(folder, name);
    const bytes = lstatSync(path).isFile() ? bytesOf(path, maxIndexBytes) : undefined;
    return bytes === undefined || listsSubmodules(bytes, hashBytes);
  });
}

/** Returns true if the index lists a submodule or cannot be parsed. */
function listsSubmodules(index: Buffer, hashBytes: number): boolean {
  const paths = submodulePaths(index, hashBytes);
  return paths === undefined || paths.length > 0;
}

/** Returns the paths of the submodules in the content of an index; undefined if it cannot be parsed. */
export function submodulePaths(index: Buffer, hashBytes: number): readonly string[] | undefined {
  return readIndex(index, hashBytes)?.entries.flatMap(({ path, mode }) =>
    isSubmoduleMode(mode) ? [path] : [],
  );
}

export interface IndexEntry {
  /** Relative to the folder of the repository. */
  readonly path: string;
  readonly mode: number;
}

export interface IndexContent {
  readonly entries: readonly IndexEntry[];
  /** The hash in the name of the file with further entries, in hex, if the index is split. */
  readonly base?: string;
}

/**
 * Returns the content of an index; undefined if it cannot be parsed. An entry consists of times and ids (24 bytes), mode, ids, size,
 * hash, flags and name. In a split index an entry without a name replaces one of the other file.
 */
export function readIndex(index: Buffer, hashBytes: number): IndexContent | undefined {
  if (index.length < 12 || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  const entries: IndexEntry[] = [];
  let previous = "";
  let at = 12;
  for (let entry = 0; entry < count; entry += 1) {
    if (version < 2 || version > 4 || at + 42 + hashBytes > index.length) return undefined;
    const { name, end } = nameOf(index, at, { version, hashBytes, previous });
    const path = Buffer.from(name, "latin1").toString("utf8");
    entries.push({ path, mode: index.readUInt32BE(at + 24) });
    previous = name;
    at = end;
  }
  const base = baseOf(index, at, hashBytes);
  return base === undefined ? { entries } : { entries, base };
}

/** Returns the hash in the extension of a split index, which is after the entries, in hex; undefined if there is none. */
function baseOf(index: Buffer, from: number, hashBytes: number): string | undefined {
  for (let at = from; at + 8 <= index.length - hashBytes; at += 8 + index.readUInt32BE(at + 4)) {
    const isLink = index.toString("latin1", at, at + 4) === "link";
    if (isLink) return index.toString("hex", at + 8, at + 8 + hashBytes);
  }
  return undefined;
}

interface IndexForm {
  readonly version: number;
  readonly hashBytes: number;
  /** The name of the entry before, with one character for each byte. */
  readonly previous: string;
}

function nameOf(index: Buffer, at: number, { version, hashBytes, previous }: IndexForm) {
  const flags = index.readUInt16BE(at + 40 + hashBytes);
  const header = 42 + hashBytes + (version >= 3 && (flags & 0x4000) !== 0 ? 2 : 0);
  const start = at + header;
  if (version === 4) {
    // A name is given by the number of bytes to drop from the end of the name before, and by what follows then.
    let dropped = 0;
    let from = start;
    for (; ((index[from] ?? 0) & 0x80) !== 0; from += 1)
      dropped = (dropped + ((index[from] ?? 0) & 0x7f) + 1) << 7;
    dropped += (index[from] ?? 0) & 0x7f;
    const end = afterNul(index, from + 1);
    const kept = previous.slice(0, Math.max(0, previous.length - dropped));
    return { name: kept + index.toString("latin1", from + 1, end - 1), end };
  }
  const short = flags & 0xfff;
  const length = short === 0xfff ? afterNul(index, start) - 1 - start : short;
  const end = at + ((header + length + 8) & ~7);
  return { name: index.toString("latin1", start, start + length), end };
}

function afterNul(index: Buffer, from: number): number {
  const end = index.indexOf(0, from);
  return end === -1 ? index.length + 1 : end + 1;
}
