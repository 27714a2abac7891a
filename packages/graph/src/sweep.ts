/** Compares all files of the workspace with the index, and indexes the files that have changed. */
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
  /** The number of source files in the workspace. */
  readonly files: number;
  /** The number of files that this sweep parsed. */
  readonly indexed: number;
  /** The files that this sweep left out. Lacks the files that an earlier sweep left out and that have not changed. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** The number of files that were removed from the index. */
  readonly removed: number;
  /** The reason why files are missing that could be in the index; undefined if none is missing. */
  readonly incomplete: "cancelled" | "files" | "bytes" | "listing" | undefined;
}

export type TellProgress = (done: number, of: number) => void;

/** The maximum number of files to list, including files in unknown languages, which the sweep leaves out. */
const maxListed = 2_000_000;
const batchFiles = 400;
/** The milliseconds after which the main thread lets other events be handled. */
const sliceMs = 2;

/** Runs the sweep and reports what it did. If `signal` aborts, the index keeps every file that was finished. */
export async function sweep(
  parts: SweepParts,
  signal: AbortSignal,
  progress: TellProgress,
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
  const tooMany = sources.length > maxFiles ? "files" : undefined;
  const missing = done.full ? "bytes" : (tooMany ?? (listing.complete ? undefined : "listing"));
  const removed = await store.call("endSweep", whole, signal.aborted ? undefined : missing);
  return {
    files: sources.length,
    indexed: done.indexed,
    skipped: done.skipped,
    removed,
    incomplete: incompleteBecause(),
  };

  function incompleteBecause(): SweepReport["incomplete"] {
    if (signal.aborted) return "cancelled";
    return missing;
  }
}

/** Returns the paths of the files in known languages, sorted. */
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

/** Calls `work` for each item. Every two milliseconds it lets the process handle other events. */
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
  readonly #progress: TellProgress;
  readonly #of: number;
  #done = 0;

  constructor(parts: SweepParts, signal: AbortSignal, progress: TellProgress, of: number) {
    this.#parts = parts;
    this.#signal = signal;
    this.#progress = progress;
    this.#of = of;
  }

  get stopped(): boolean {
    return this.#signal.aborted || this.full;
  }

  /** Counts files as done, and reports the progress. */
  passed(count: number): void {
    this.#done += count;
    this.#progress(this.#done, this.#of);
  }

  /** Indexes the files. Each parser gets two files at a time, so that the second is read while the first is parsed. */
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
