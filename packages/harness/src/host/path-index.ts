/** Completes paths of the workspace from a list of files. The list is cached and refreshed when it is old. */
import { setImmediate as nextRound } from "node:timers/promises";
import type { FileListing } from "@localharness/processes/search/list-files";
import { createPathTable, type PathTable, rankPaths } from "./rank-paths.ts";

export interface PathIndex {
  /**
   * Returns matching paths, the best first; if `typed` is empty, those with the fewest folders first. Uses the old list
   * while a new one loads. Returns an empty list if `complete` is called again before this call ends. Rejects if the first
   * list cannot be made.
   */
  complete(typed: string, limit: number): Promise<readonly string[]>;
}

/** The maximum number of paths in the list. A home folder may contain millions of files. */
const maxPaths = 400_000;
const freshMs = 5_000;

export function createPathIndex(
  list: (most: number, signal: AbortSignal) => Promise<FileListing>,
  now: () => number = () => performance.now(),
): PathIndex {
  let table: PathTable | undefined;
  let listing: Promise<PathTable> | undefined;
  let listedAt = Number.NEGATIVE_INFINITY;
  let newest = 0;
  let last: { readonly table: PathTable; readonly typed: string; readonly matching: Uint32Array } | undefined;

  const listAgain = (): Promise<PathTable> => {
    listing ??= listTable(list)
      .then((fresh) => {
        table = fresh;
        return fresh;
      })
      .finally(() => {
        listedAt = now();
        listing = undefined;
      });
    return listing;
  };
  return {
    async complete(typed, limit) {
      const mine = ++newest;
      if (table === undefined) await listAgain();
      // If listing fails, the old list stays in use, and a later call tries again.
      else if (now() - listedAt > freshMs) listAgain().catch(() => undefined);
      const current = table;
      if (current === undefined || mine !== newest) return [];
      const narrowed = last?.table === current && typed.startsWith(last.typed) ? last.matching : undefined;
      const ranking = await rankPaths(current, typed, limit, narrowed, nextRound, () => mine !== newest);
      if (ranking === undefined) return [];
      last = { table: current, typed, matching: ranking.matching };
      return ranking.best.map((index) => current.paths[index] ?? "");
    },
  };
}

async function listTable(
  list: (most: number, signal: AbortSignal) => Promise<FileListing>,
): Promise<PathTable> {
  const { paths } = await list(maxPaths, new AbortController().signal);
  const folders = new Set<string>();
  for (const [index, path] of paths.entries()) {
    if (index % 4_096 === 0) await nextRound();
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at + 1);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return createPathTable([...folders, ...paths], nextRound);
}
