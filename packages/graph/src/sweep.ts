/** Compares all files of the workspace with the index, and indexes those that have changed. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type IndexParts, indexOne } from "./index-one.ts";
import { languageOf } from "./languages/table.ts";
import type { SourceFiles } from "./source-files.ts";
import type { ChangedFile, ListedFile } from "./store/index-store.ts";
import type { Parser } from "./threads/parser.ts";

export interface SweepParts extends Omit<IndexParts, "parser"> {
  readonly parsers: readonly Parser[];
  /** The maximum number of source files in the index. */
  readonly maxFiles: number;
}

export interface SweepReport {
  /** Source files of the workspace. */
  readonly files: number;
  /** Files that were parsed, in this sweep. */
  readonly indexed: number;
  /** Files that were read and left out, in this sweep. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** Files that are in the index no more. */
  readonly removed: number;
  /** Why not all files are in the index. */
  readonly incomplete: "cancelled" | "files" | "bytes" | "listing" | undefined;
}

export type Progress = (done: number, of: number) => void;

/** The number of listed files, of which other extensions are left out. */
const maxListed = 2_000_000;
const batchFiles = 400;
/** After this time the main thread lets others work. */
const sliceMs = 2;

/** Resolves to what was done; after `signal` aborts, the index has every file that was finished. */
export async function sweep(
  parts: SweepParts,
  signal: AbortSignal,
  progress: Progress,
): Promise<SweepReport> {
  const { store, files, maxFiles } = parts;
  const listing = await files.list(maxListed, signal);
  const sources = await sourcesOf(listing.paths);
  const wanted = sources.slice(0, maxFiles);
  await store.call("beginSweep");
  const done = new Work(parts, signal, progress, wanted.length);
  for (let start = 0; start < wanted.length && !done.stopped; start += batchFiles) {
    const states = await statesOf(files, wanted.slice(start, start + batchFiles));
    const changed = await store.call("compare", states);
    done.passed(wanted.slice(start, start + batchFiles).length - changed.length);
    await done.all(changed);
  }
  const whole = listing.complete && !signal.aborted && done.full === false;
  const removed = await store.call("endSweep", whole);
  return {
    files: sources.length,
    indexed: done.indexed,
    skipped: done.skipped,
    removed,
    incomplete: incompleteBecause(),
  };

  function incompleteBecause(): SweepReport["incomplete"] {
    if (signal.aborted) return "cancelled";
    if (done.full) return "bytes";
    if (sources.length > maxFiles) return "files";
    return listing.complete ? undefined : "listing";
  }
}

/** Returns the paths of files in known languages, sorted. */
async function sourcesOf(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  await inSlices(paths, (path) => {
    if (languageOf(path) !== undefined) found.push(path);
  });
  return found.sort();
}

async function statesOf(files: SourceFiles, paths: readonly string[]): Promise<readonly ListedFile[]> {
  const states: ListedFile[] = [];
  await inSlices(paths, (path) => {
    const state = files.stateOf(path);
    if (state !== undefined) states.push({ path, ...state });
  });
  return states;
}

/** Calls `work` for each item, and lets other events of the process be handled every two milliseconds. */
async function inSlices<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  let until = performance.now() + sliceMs;
  for (const item of items) {
    work(item);
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + sliceMs;
  }
}

/** Indexes files with all parsers at once, and counts them. */
class Work {
  indexed = 0;
  full = false;
  readonly skipped: { readonly path: string; readonly reason: string }[] = [];
  readonly #parts: SweepParts;
  readonly #signal: AbortSignal;
  readonly #progress: Progress;
  readonly #of: number;
  #done = 0;

  constructor(parts: SweepParts, signal: AbortSignal, progress: Progress, of: number) {
    this.#parts = parts;
    this.#signal = signal;
    this.#progress = progress;
    this.#of = of;
  }

  get stopped(): boolean {
    return this.#signal.aborted || this.full;
  }

  /** Counts files that need no work. */
  passed(count: number): void {
    this.#done += count;
    this.#progress(this.#done, this.#of);
  }

  /** Indexes the files. Two files wait for each parser, so that the next one is read while the first one is parsed. */
  async all(files: readonly ChangedFile[]): Promise<void> {
    const queue = [...files].reverse();
    const lanes = [...this.#parts.parsers, ...this.#parts.parsers];
    await Promise.all(lanes.map((parser) => this.#lane(parser, queue)));
  }

  async #lane(parser: Parser, queue: ChangedFile[]): Promise<void> {
    for (let next = queue.pop(); next !== undefined && !this.stopped; next = queue.pop()) {
      const { path, hash } = next;
      const end = await indexOne({ ...this.#parts, parser }, path, hash);
      if (end.kind === "indexed") this.indexed += 1;
      if (end.kind === "skipped") this.skipped.push({ path, reason: end.reason });
      if (end.kind === "full") this.full = true;
      this.passed(1);
    }
  }
}
