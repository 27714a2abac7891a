/** The index of a snapshot: for each path its state at the last look, and where its content is. Kept in a file between sessions. */

import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { PathState } from "../changes/path-state.ts";
import type { StatKey } from "../files/stat-key.ts";
import { statsAt } from "../paths/stats-at.ts";
import type { ContentPlace } from "./content-packs.ts";

export interface KeptEntry {
  readonly key: StatKey;
  /** False if a change after the look may not show in the key. */
  readonly settled: boolean;
  readonly state: PathState;
  /** Where the content of a file is; absent for anything else, and for a content that is not kept. */
  readonly place?: ContentPlace;
}

export type KeptIndex = Map<string, KeptEntry>;

const version = 1;
const maxFileBytes = 64 * 1024 * 1024;

type Row = readonly [
  path: string,
  key: readonly [number, number, number, number, number],
  hash: string,
  unit: string,
  offset: number,
];

/** Returns the files of the index whose contents are kept; empty if there is no file or it cannot be read. Never throws. */
export function loadIndex(path: string): KeptIndex {
  const index: KeptIndex = new Map();
  try {
    const stats = statsAt(path);
    if (stats?.isFile() !== true || stats.size > maxFileBytes) return index;
    const stored = JSON.parse(readFileSync(path, "utf8")) as {
      readonly v?: number;
      readonly rows?: readonly Row[];
    };
    if (stored.v !== version) return index;
    for (const [at, [ino, size, mtimeMs, ctimeMs, mode], hash, unit, offset] of stored.rows ?? []) {
      const state = { kind: "file", hash, size, mode: mode & 0o777 } as const;
      const key = { ino, size, mtimeMs, ctimeMs, mode };
      index.set(at, { key, settled: true, state, place: { unit, offset, size } });
    }
  } catch {
    index.clear();
  }
  return index;
}

/** Writes the files whose contents are kept. Does nothing if that fails: the next session then reads them again. */
export function saveIndex(path: string, index: KeptIndex): void {
  const rows: Row[] = [];
  for (const [at, { key, settled, state, place }] of index) {
    if (place === undefined || !settled || state.kind !== "file") continue;
    rows.push([
      at,
      [key.ino, key.size, key.mtimeMs, key.ctimeMs, key.mode],
      state.hash,
      place.unit,
      place.offset,
    ]);
  }
  const temporary = `${path}.${randomUUID()}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, JSON.stringify({ v: version, rows }), { flag: "wx", mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}
