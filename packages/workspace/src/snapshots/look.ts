/** Looks at the workspace: brings the index up to date, keeps the contents that are new, and returns what has changed. */
import { hash as hashOf } from "node:crypto";
import { readlinkSync, type Stats } from "node:fs";
import { whySecret } from "../changes/keep-limits.ts";
import { absent, type PathState } from "../changes/path-state.ts";
import { isSettled, sameKey, seenAt, statKey } from "../files/stat-key.ts";
import type { ContentPacks, ContentPlace } from "./content-packs.ts";
import type { FolderTree } from "./folder-tree.ts";
import type { KeptEntry, KeptIndex } from "./kept-index.ts";
import { readContent } from "./read-content.ts";
import { type RulesAbove, rulesAbove } from "./rules-above.ts";
import { readTrackedPaths } from "./tracked-paths.ts";

export interface LookParts {
  readonly root: string;
  readonly tree: FolderTree;
  readonly index: KeptIndex;
  readonly packs: ContentPacks;
  readonly secrets: readonly string[];
  /** The maximum size of a file whose content is kept. */
  readonly fileBytes: number;
  /** The maximum size of the contents of the present state together. */
  readonly liveBytes: number;
}

/** A path that is not as it was at the look before. */
export interface PathChange {
  readonly path: string;
  readonly before: PathState;
  readonly after: PathState;
  /** Where the content before is. */
  readonly place?: ContentPlace;
}

export interface Look {
  readonly changes: readonly PathChange[];
  /** False if a limit was reached, so that there may be more. */
  readonly complete: boolean;
}

/** What a look remembers for the next one. */
export interface LookMemory {
  /** True after the first look. */
  looked: boolean;
  /** The state of git's index when `tracked` was read. */
  indexStats: Stats | undefined;
  /** The tracked paths, relative to the workspace. */
  tracked: readonly string[];
}

/** The number of files, and of bytes, that are read before other work may run. */
const filesAtOnce = 200;
const bytesAtOnce = 4 * 1024 * 1024;

interface Stale {
  readonly path: string;
  readonly stats: Stats;
}

export async function look(parts: LookParts, memory: LookMemory): Promise<Look> {
  const { root, tree, index, packs } = parts;
  const readAt = Date.now();
  packs.refresh();
  const seen = new Set<string>();
  const stale: Stale[] = [];
  const visit = (path: string, stats: Stats) => {
    seen.add(path);
    const known = index.get(path);
    const isSame = known?.settled === true && sameKey(known.key, stats);
    if (!isSame || (known.place !== undefined && !packs.has(known.place))) stale.push({ path, stats });
  };
  const above = rulesAbove(root);
  const complete = tree.walk(above, visit);
  for (const path of trackedPaths(above, memory)) {
    const found = seen.has(path) ? undefined : seenAt(`${root}/${path}`);
    const stats = found === "hidden" ? undefined : found;
    if (stats?.isFile() === true || stats?.isSymbolicLink() === true) visit(path, stats);
  }
  const changes: PathChange[] = [];
  for (const [path, known] of index) {
    if (seen.has(path)) continue;
    const stats = memory.looked ? seenAt(`${root}/${path}`) : undefined;
    // What cannot be looked at is taken to be as before. The walk has noted that something is missing.
    if (stats === "hidden") continue;
    // What was kept in this session stays kept, although it may be ignored now.
    if (stats !== undefined) {
      visit(path, stats);
      continue;
    }
    changes.push(changeOf(path, known, absent));
    index.delete(path);
  }
  memory.looked = true;
  await keepStale(parts, stale, readAt, changes);
  // Only new contents make others go.
  if (stale.length > 0) await keepStale(parts, displaced(parts), readAt, changes);
  return { changes, complete };
}

/** Returns the files whose contents were removed to make room for others. */
function displaced({ root, index, packs }: LookParts): readonly Stale[] {
  const found: Stale[] = [];
  for (const [path, { place }] of index) {
    if (place === undefined || packs.has(place)) continue;
    const stats = seenAt(`${root}/${path}`);
    if (stats !== undefined && stats !== "hidden") found.push({ path, stats });
  }
  return found;
}

/** Returns the tracked paths, relative to the workspace. Reads git's index again only if it has changed. */
function trackedPaths({ index, prefix }: RulesAbove, memory: LookMemory): readonly string[] {
  const stats = index === undefined ? undefined : seenAt(index);
  if (index === undefined || stats === undefined || stats === "hidden") return [];
  if (memory.indexStats === undefined || !sameKey(memory.indexStats, stats)) {
    memory.indexStats = stats;
    memory.tracked = readTrackedPaths(index)
      .filter((path) => path.startsWith(prefix) && !path.split("/").includes(".."))
      .map((path) => path.slice(prefix.length));
  }
  return memory.tracked;
}

/** Reads and keeps what has changed, the smallest files first, so that the most files fit. */
async function keepStale(
  parts: LookParts,
  stale: readonly Stale[],
  readAt: number,
  changes: PathChange[],
): Promise<void> {
  if (stale.length === 0) return;
  const { index, packs } = parts;
  const places = placesByHash(index);
  let live = 0;
  for (const { size } of places.values()) live += size;
  const taken: string[] = [];
  let bytes = 0;
  for (const [at, { path, stats }] of stale
    .toSorted((one, other) => one.stats.size - other.stats.size)
    .entries()) {
    bytes += stats.size;
    if (at % filesAtOnce === filesAtOnce - 1 || bytes > bytesAtOnce) {
      await new Promise((resolve) => setImmediate(resolve));
      bytes = 0;
    }
    const known = index.get(path);
    const entry = entryOf(parts, path, stats, { readAt, room: parts.liveBytes - live, places });
    if (entry.place !== undefined && entry.state.kind === "file" && !places.has(entry.state.hash)) {
      places.set(entry.state.hash, entry.place);
      live += entry.place.size;
      taken.push(path);
    }
    index.set(path, entry);
    const before = known?.state ?? absent;
    if (!isSame(before, entry.state)) changes.push(changeOf(path, known, entry.state));
  }
  if (packs.flush()) return;
  // It is unknown which of the contents were written.
  for (const path of taken) {
    const entry = index.get(path);
    if (entry !== undefined) index.set(path, withoutPlace(entry, "disk"));
  }
}

function placesByHash(index: KeptIndex): Map<string, ContentPlace> {
  const places = new Map<string, ContentPlace>();
  for (const { state, place } of index.values())
    if (state.kind === "file" && place !== undefined) places.set(state.hash, place);
  return places;
}

function changeOf(path: string, known: KeptEntry | undefined, after: PathState): PathChange {
  const place = known?.place === undefined ? {} : { place: known.place };
  return { path, before: known?.state ?? absent, after, ...place };
}

/** Returns true if kind, content and mode are the same. An unread file counts as the same if its size is. */
function isSame(one: PathState, other: PathState): boolean {
  if (one.kind === "file" && other.kind === "file") {
    return one.hash === other.hash && one.size === other.size && one.mode === other.mode;
  }
  if (one.kind === "link" && other.kind === "link") return one.target === other.target;
  if (one.kind === "folder" && other.kind === "folder") return one.mode === other.mode;
  return one.kind === other.kind;
}

function withoutPlace({ place: _, state, ...entry }: KeptEntry, notKept: "disk" | "quota"): KeptEntry {
  return { ...entry, state: state.kind === "file" ? { ...state, notKept } : state };
}

interface Reading {
  readonly readAt: number;
  /** The number of bytes that may still be kept. */
  readonly room: number;
  /** The places of the contents that are kept, by their hashes. */
  readonly places: ReadonlyMap<string, ContentPlace>;
}

function entryOf(parts: LookParts, path: string, stats: Stats, reading: Reading): KeptEntry {
  const key = statKey(stats);
  const settled = isSettled(key, reading.readAt);
  const mode = stats.mode & 0o777;
  const entry = (state: PathState): KeptEntry => ({ key, settled, state });
  if (stats.isDirectory()) return entry({ kind: "folder", mode });
  if (stats.isSymbolicLink()) return entry(linkState(`${parts.root}/${path}`));
  if (!stats.isFile()) return entry({ kind: "other" });
  const unread = (notKept: "size" | "unreadable") =>
    entry({ kind: "file", hash: "", size: stats.size, mode, notKept });
  if (stats.size > parts.fileBytes) return unread("size");
  const read = readContent(`${parts.root}/${path}`, stats, (bytes, descriptor): KeptEntry => {
    const hash = hashOf("sha256", bytes, "hex");
    const state = { kind: "file", hash, size: bytes.length, mode } as const;
    const secret = whySecret(path, bytes, parts.secrets, parts.root);
    if (secret !== undefined) return entry({ ...state, notKept: "secret" });
    const there = reading.places.get(hash);
    if (there !== undefined && parts.packs.has(there)) return { ...entry(state), place: there };
    const place = bytes.length > reading.room ? undefined : parts.packs.add(bytes, hash, descriptor);
    return place === undefined ? entry({ ...state, notKept: "quota" }) : { ...entry(state), place };
  });
  // A file that changes while it is read is read again at the next look.
  return read ?? { ...unread("unreadable"), settled: false };
}

function linkState(path: string): PathState {
  try {
    return { kind: "link", target: readlinkSync(path) };
  } catch {
    return { kind: "other" };
  }
}
