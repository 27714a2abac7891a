/** Builds the index of a workspace, keeps it up to date, and answers questions from it. */
import { existsSync } from "node:fs";
import {
  type AnswerParts,
  answerReferences,
  answerRelated,
  answerSearch,
  answerSymbols,
  type GraphAnswers,
} from "./answers.ts";
import type { EmbedReport } from "./embed-sections.ts";
import type { Embedder } from "./embedder.ts";
import { createFreshness, within } from "./freshness.ts";
import { threadFile } from "./graph-files.ts";
import { indexOne } from "./index-one.ts";
import { languageOf } from "./languages/table.ts";
import type { SourceFiles } from "./source-files.ts";
import type { IndexStatus, MissingBecause } from "./store/index-store.ts";
import { removeIndex } from "./store/remove-index.ts";
import { type SweepReport, sweep, type TellProgress } from "./sweep.ts";
import { createParser, maxParseMs, type Parser } from "./threads/parser.ts";
import { isDamaged, type StoreThread, startStore } from "./threads/store.ts";
import { openVectorSide, type VectorSide } from "./vector-side.ts";

export interface GraphOptions {
  /** The path of the index file. */
  readonly path: string;
  readonly files: SourceFiles;
  /** Makes vectors of sections and questions; without it `search` ranks by words only. */
  readonly embedder?: Embedder;
  /** The number of parser threads. */
  readonly parsers?: number;
  readonly maxFiles?: number;
  /** The maximum size of the index in bytes. */
  readonly maxBytes?: number;
  /** The maximum processor time of one parse in milliseconds. */
  readonly maxParseMs?: number;
  /** Another module for the parser thread, for tests. */
  readonly parserFile?: string;
}

export interface CodeGraph extends GraphAnswers {
  /** Returns true if the workspace has an index. */
  exists(): boolean;
  /**
   * Brings the vectors up to date with the index, a batch at a time. Resolves to undefined without an embedding model.
   * Rejects with an `IndexError` if the index fails.
   */
  embed(signal: AbortSignal, progress?: TellProgress): Promise<EmbedReport | undefined>;
  /**
   * Brings the whole index up to date. A damaged index is built from the beginning. Rejects with an `IndexError` if the
   * index fails; an abort only makes the report incomplete.
   */
  build(signal: AbortSignal, progress?: TellProgress): Promise<SweepReport>;
  /** Notes that a tool has read or written a file. The file is then indexed in the background, if its language is known. */
  onFileSeen(path: string): void;
  /**
   * Returns a line such as `see also: name -> path:line`, which names the definitions in other files that a file uses
   * most. Returns undefined if none is known.
   */
  relatedTo(path: string): Promise<string | undefined>;
  /**
   * Brings the index up to date in the background, unless that was done in the last ten seconds. Resolves to `fresh` when it
   * is up to date, or to `refreshing` after `waitMs` (after `firstMs` if the index has never been complete). Rejects with an
   * `IndexError` if the update fails.
   */
  refresh(waitMs: number, firstMs: number): Promise<"fresh" | "refreshing">;
  /** Returns a map of the most used definitions, in at most `maxChars` characters; empty if there is none. */
  map(maxChars: number): Promise<string>;
  status(): Promise<IndexStatus>;
  /** Resolves to the reason why the last build left files out; undefined if it left none out. */
  missing(): Promise<MissingBecause | undefined>;
  /** Resolves to the number of files that are not in the index because they are minified, too large or cannot be parsed. */
  skipped(): Promise<number>;
  /** Removes the index. Resolves to false if there was none. */
  drop(): Promise<boolean>;
  /** Ends the threads. The index keeps every file that was finished. */
  close(): Promise<void>;
}

export const defaultMaxFiles = 100_000;
export const defaultMaxBytes = 1_024 ** 3;
/** The maximum milliseconds that the result of a read waits for its file to be indexed. */
const maxSeeAlsoMs = 300;

export function openGraph(options: GraphOptions): CodeGraph {
  const { path, files, maxFiles = defaultMaxFiles, maxBytes = defaultMaxBytes } = options;
  const parsers = Array.from({ length: options.parsers ?? 1 }, () =>
    createParser(options.parserFile ?? threadFile("parse-thread"), options.maxParseMs ?? maxParseMs),
  );
  const closing = new AbortController();
  let opening: Promise<StoreThread> | undefined;
  const background = new Set<Promise<unknown>>();
  const store = () => {
    opening ??= startStore(threadFile("store-thread"), { path, maxBytes }, () => freshness.end());
    return opening;
  };
  const reindex = async (file: string) => {
    const open = await store();
    await indexOne({ files, store: open, parser: firstOf(parsers) }, file, await open.call("hashOf", file));
  };
  const buildOnce = async (signal: AbortSignal, progress: TellProgress): Promise<SweepReport> => {
    const parts = { files, store: await store(), parsers, maxFiles };
    const report = await sweep(parts, AbortSignal.any([signal, closing.signal]), progress);
    freshness.begin();
    return report;
  };
  const build = (signal: AbortSignal, progress: TellProgress = () => undefined) =>
    buildOnce(signal, progress).catch((error: unknown) => {
      if (!isDamaged(error)) throw error;
      return buildOnce(signal, progress);
    });
  const follow = (work: Promise<unknown>) => {
    const settled = work.catch(() => undefined).finally(() => background.delete(settled));
    background.add(settled);
    return settled;
  };
  const vectors = openVectorSide({ ...options, store, closing: closing.signal });
  const freshness = createFreshness({
    isComplete: async () => (await store()).call("complete"),
    before: () => [...background],
    sweep() {
      const swept = build(closing.signal);
      void follow(swept.then(() => vectors.embed(closing.signal)));
      return swept;
    },
  });
  return {
    embed: vectors.embed,
    exists: () => existsSync(path),
    build,
    onFileSeen(file) {
      if (languageOf(file) !== undefined && !closing.signal.aborted) void follow(reindex(file));
    },
    async relatedTo(file) {
      if (languageOf(file) === undefined) return undefined;
      await within(follow(reindex(file)), maxSeeAlsoMs);
      return answerRelated({ files, store: await store(), reindex }, file).catch(() => undefined);
    },
    refresh: freshness.refresh,
    status: async () => (await store()).call("status"),
    async drop() {
      const there = existsSync(path);
      await (await opening)?.close();
      opening = undefined;
      removeIndex(path);
      return there;
    },
    ...answersFrom(async () => ({ files, store: await store(), reindex }), vectors),
    async close() {
      closing.abort();
      await Promise.all(parsers.map((parser) => parser.close()));
      await Promise.all(background);
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}

/** Returns the methods that answer from the index. `parts` opens the index if it is not open yet. */
function answersFrom(
  parts: () => Promise<AnswerParts>,
  vectors: VectorSide,
): GraphAnswers & Pick<CodeGraph, "map" | "missing" | "skipped"> {
  return {
    skipped: async () => (await parts()).store.call("skipped"),
    missing: async () => (await parts()).store.call("missing"),
    map: async (maxChars) => (await parts()).store.call("map", maxChars),
    findSymbols: async (name, below, most, admits) => answerSymbols(await parts(), name, below, most, admits),
    findReferences: async (name, below, most, admits) =>
      answerReferences(await parts(), name, below, most, admits),
    async search(text, below, most, admits) {
      const { vector, ...note } = await vectors.ask(text);
      const found = await answerSearch(await parts(), text, below, most, { admits, vector });
      return { ...found, ...note };
    },
  };
}

function firstOf(parsers: readonly Parser[]): Parser {
  const [first] = parsers;
  if (first === undefined) throw new Error("the index needs a parser");
  return first;
}
