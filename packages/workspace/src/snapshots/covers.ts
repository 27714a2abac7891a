/** Finds whether everything at some places of the workspace is kept, so that undo can restore it. */
import type { KeepRoom } from "../changes/changes.ts";
import { maxTurnBytes } from "../changes/keep-limits.ts";
import { seenAt } from "../files/stat-key.ts";
import type { ContentPacks } from "./content-packs.ts";
import type { FolderTree } from "./folder-tree.ts";
import type { KeptEntry, KeptIndex } from "./kept-index.ts";
import type { CoveredPath } from "./snapshots.ts";

export interface CoverParts {
  readonly root: string;
  readonly tree: FolderTree;
  readonly index: KeptIndex;
  readonly packs: ContentPacks;
  readonly room: KeepRoom;
}

/** Returns true if undo could restore everything at the places as the last look found it. */
export function isCovered(parts: CoverParts, places: readonly CoveredPath[]): boolean {
  const entries = new Map<string, KeptEntry>();
  for (const place of places) if (!addPlace(parts, place, entries)) return false;
  const { limits, use } = parts.room;
  let bytes = use.bytes;
  for (const { state, place } of entries.values()) {
    if (state.kind === "other") return false;
    if (state.kind !== "file") continue;
    if (place === undefined || !parts.packs.has(place)) return false;
    bytes += state.size;
  }
  return bytes <= maxTurnBytes(limits) && use.entries + entries.size <= limits.turnEntries;
}

/** Adds the entries at a place. Returns false if there is something that is not in the index. */
function addPlace(
  { root, tree, index }: CoverParts,
  { path, below }: CoveredPath,
  entries: Map<string, KeptEntry>,
): boolean {
  if (/^(?:[/\\~]|\.\.(?:\/|$))/.test(path)) return false;
  const entry = index.get(path);
  const stats = seenAt(`${root}/${path}`);
  if (stats === "hidden") return false;
  if (stats === undefined && path !== ".") return true;
  if (entry !== undefined) entries.set(path, entry);
  if (stats?.isDirectory() !== true) return entry !== undefined;
  if (below !== true) return true;
  if (tree.leavesOutBelow(path)) return false;
  for (const [one, found] of index) if (path === "." || one.startsWith(`${path}/`)) entries.set(one, found);
  return true;
}
