/** Finds the submodules of a repository, which git enters by itself if its settings permit. */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { statsAt } from "../workspace/stats-at.ts";
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
  const entries = stats.isFile() && stats.size <= maxTextBytes ? readEntries(readFileSync(path)) : undefined;
  const names = entries?.flatMap(({ key }) => /^submodule\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? []);
  return names === undefined ? undefined : [...new Set(names)];
}

/** Returns true if an index lists submodules or cannot be parsed. */
function holdsSubmodules(folder: string, hashBytes: number): boolean {
  const files = readdirSync(folder).filter((name) => name === "index" || name.startsWith("sharedindex."));
  return files.some((name) => {
    const path = join(folder, name);
    const stats = lstatSync(path);
    return !stats.isFile() || stats.size > maxIndexBytes || listsSubmodules(readFileSync(path), hashBytes);
  });
}

/**
 * Returns true if the index lists a submodule or cannot be parsed. An entry consists of times and ids (24 bytes), mode, ids,
 * size, hash, flags and name.
 */
function listsSubmodules(index: Buffer, hashBytes: number): boolean {
  if (index.length < 12 || index.toString("latin1", 0, 4) !== "DIRC") return true;
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  let at = 12;
  for (let entry = 0; entry < count; entry += 1) {
    if (version < 2 || version > 4 || at + 42 + hashBytes > index.length) return true;
    if (isSubmoduleMode(index.readUInt32BE(at + 24))) return true;
    at = entryEnd(index, at, version, hashBytes);
  }
  return false;
}

function entryEnd(index: Buffer, at: number, version: number, hashBytes: number): number {
  const flags = index.readUInt16BE(at + 40 + hashBytes);
  const header = 42 + hashBytes + (version >= 3 && (flags & 0x4000) !== 0 ? 2 : 0);
  const name = at + header;
  if (version === 4) {
    let start = name;
    while (((index[start] ?? 0) & 0x80) !== 0) {
      start += 1;
    }
    return afterNul(index, start + 1);
  }
  const short = flags & 0xfff;
  const length = short === 0xfff ? afterNul(index, name) - 1 - name : short;
  return at + ((header + length + 8) & ~7);
}

function afterNul(index: Buffer, from: number): number {
  const end = index.indexOf(0, from);
  return end === -1 ? index.length + 1 : end + 1;
}
