/**
 * Answers questions from the index. Every line of an answer is read from its file again. If the file's text is not the
 * text that was indexed, the file is indexed again, and the question is asked again.
 */
import { visibleLine } from "@localharness/protocol";
import { maxSourceBytes } from "./index-one.ts";
import { bestLine } from "./parse/best-line.ts";
import { hashText } from "./parse/hash-text.ts";
import type { PlaceKind } from "./parse/places.ts";
import type { SourceFiles } from "./source-files.ts";
import type { Below, ReferenceRow, SectionRow, SymbolRow } from "./store/find-rows.ts";
import type { FoundSymbols } from "./store/find-symbols.ts";
import type { AskedVector } from "./store/index-store.ts";
import type { StoreThread } from "./threads/store.ts";

/** One line of an answer. */
export interface FoundLine {
  readonly path: string;
  /** The line number, from 1. */
  readonly line: number;
  /** What is on the line: the kind and the container of a symbol, or the way in which a name is used. */
  readonly what: string;
  readonly text: string;
}

export interface GraphAnswer {
  readonly lines: readonly FoundLine[];
  /**
   * The number of lines found, of definitions at most 1,000. It is larger than the number of `lines` if not all are shown. A
   * search finds no more lines than it shows.
   */
  readonly total: number;
  /** A sentence about what the answer lacks. */
  readonly note?: string;
}

export interface SymbolAnswer extends GraphAnswer {
  readonly by: FoundSymbols["by"];
}

export interface ReferenceAnswer extends GraphAnswer {
  /** The name that was found, perhaps without the containers that were asked. */
  readonly name: string;
  /** False if very many files have the name, so that not all were looked at. */
  readonly complete: boolean;
}

/** Returns true for a path whose lines may be in an answer. */
export type Admits = (path: string) => boolean;

/**
 * The questions to the index. `below` limits an answer to a file or folder, and `admits` limits it to the paths that it
 * accepts, by default all. An answer has at most `most` lines. If the index fails, a method rejects with an `IndexError`.
 */
export interface GraphAnswers {
  findSymbols(name: string, below: Below, most: number, admits?: Admits): Promise<SymbolAnswer>;
  findReferences(name: string, below: Below, most: number, admits?: Admits): Promise<ReferenceAnswer>;
  search(text: string, below: Below, most: number, admits?: Admits): Promise<GraphAnswer>;
}

export interface AnswerParts {
  readonly files: SourceFiles;
  readonly store: StoreThread;
  reindex(path: string): Promise<void>;
}

export async function answerSymbols(
  parts: AnswerParts,
  name: string,
  below: Below,
  most: number,
  admits: Admits = all,
): Promise<SymbolAnswer> {
  const { found, texts } = await askUntilTrue(parts, async () => {
    const { by, rows } = await admitted(maxAsked, admits, (asked) =>
      parts.store.call("findSymbols", name, below, asked),
    );
    return { by, rows, shown: rows.slice(0, most) };
  });
  const lines = found.shown.flatMap((row) => lineOf(texts, row, row.line, describe(row)));
  return { lines, total: found.rows.length, by: found.by };
}

/** The maximum number of definitions that are counted. */
const maxAsked = 1_000;

const all: Admits = () => true;

/**
 * Returns what `ask` returns, with at most `most` rows, whose paths are all admitted. Asks again for four times as many
 * until it has `most` or all.
 */
async function admitted<Found extends { readonly rows: readonly { readonly path: string }[] }>(
  most: number,
  admits: Admits,
  ask: (asked: number) => Promise<Found>,
): Promise<Found> {
  for (let asked = most; ; asked *= 4) {
    const found = await ask(asked);
    const rows = found.rows.filter(({ path }) => admits(path)).slice(0, most);
    if (rows.length === most || found.rows.length < asked) return { ...found, rows };
  }
}

const uses: Readonly<Record<PlaceKind, string>> = {
  d: "definition",
  c: "call",
  i: "import",
  r: "reference",
};

export async function answerReferences(
  parts: AnswerParts,
  asked: string,
  below: Below,
  most: number,
  admits: Admits = all,
): Promise<ReferenceAnswer> {
  const { found, texts } = await askUntilTrue(parts, async () => {
    const { rows: every, ...rest } = await parts.store.call("findReferences", asked, below);
    const rows = every.filter(({ path }) => admits(path));
    return { ...rest, rows, shown: firstPlaces(rows, most) };
  });
  const lines = found.shown.flatMap((row) =>
    row.places.flatMap(({ line, kind }) => lineOf(texts, row, line, uses[kind])),
  );
  const total = found.rows.reduce((sum, { places }) => sum + places.length, 0);
  return { lines: lines.slice(0, most), total, name: found.name, complete: found.complete };
}

const maxRelated = 5;

/** Returns a line that names definitions in other files that the file at `path` uses; undefined if none is known. */
export async function answerRelated(parts: AnswerParts, path: string): Promise<string | undefined> {
  const { found, texts } = await askUntilTrue(parts, async () => {
    const rows = await parts.store.call("related", path, maxRelated);
    return { shown: rows };
  });
  const shown = found.shown.filter((row) => texts.has(row.path));
  return shown.length === 0
    ? undefined
    : `see also: ${shown.map((row) => `${row.name} -> ${visibleLine(row.path)}:${row.line}`).join(", ")}`;
}

/** Returns the rows that contain the first `most` places. */
function firstPlaces(rows: readonly ReferenceRow[], most: number): readonly ReferenceRow[] {
  let places = 0;
  return rows.filter((row) => {
    const isShown = places < most;
    places += row.places.length;
    return isShown;
  });
}

export async function answerSearch(
  parts: AnswerParts,
  text: string,
  below: Below,
  most: number,
  {
    admits = all,
    vector,
  }: { readonly admits?: Admits | undefined; readonly vector?: AskedVector | undefined } = {},
): Promise<GraphAnswer> {
  const { found, texts } = await askUntilTrue(parts, async () => {
    const { rows } = await admitted(most, admits, async (asked) => ({
      rows: await parts.store.call("search", text, below, asked, vector),
    }));
    return { shown: rows };
  });
  const lines = found.shown.flatMap((row) => sectionLine(texts, row, text));
  return { lines, total: lines.length };
}

function sectionLine(texts: Texts, row: SectionRow, asked: string): readonly FoundLine[] {
  if (row.symbol !== undefined) return lineOf(texts, row, row.symbol.line, describe(row.symbol));
  const lines = texts.get(row.path) ?? [];
  const line = bestLine(lines, row.firstLine, row.lastLine, asked);
  return lineOf(texts, row, line, `lines ${row.firstLine}-${row.lastLine}`);
}

function describe({ kind, container, name, line, endLine }: SymbolRow): string {
  const range = endLine > line ? `, lines ${line}-${endLine}` : "";
  return `${kind} ${container === "" ? name : `${container}.${name}`}${range}`;
}

/** The lines of each file that an answer shows. */
type Texts = ReadonlyMap<string, readonly string[]>;

function lineOf(texts: Texts, { path }: { readonly path: string }, line: number, what: string): FoundLine[] {
  const text = texts.get(path)?.[line - 1];
  return text === undefined ? [] : [{ path, line, what, text: text.trim() }];
}

interface Shown {
  readonly shown: readonly { readonly path: string; readonly hash: string }[];
}

const maxRounds = 4;

/**
 * Asks until the index has the current text of every file in the answer, at most four times. A file that keeps changing
 * is not in `texts`.
 */
async function askUntilTrue<T extends Shown>(
  { files, reindex }: AnswerParts,
  ask: () => Promise<T>,
): Promise<{ readonly found: T; readonly texts: Texts }> {
  for (let round = 1; ; round += 1) {
    const found = await ask();
    const texts = new Map<string, readonly string[]>();
    const changed = new Set<string>();
    for (const { path, hash } of found.shown) {
      if (texts.has(path) || changed.has(path)) continue;
      const source = files.stateOf(path) === undefined ? undefined : await files.read(path, maxSourceBytes);
      if (source?.kind === "text" && hashText(source.text) === hash) texts.set(path, source.text.split("\n"));
      else changed.add(path);
    }
    if (changed.size === 0 || round === maxRounds) return { found, texts };
    for (const path of changed) await reindex(path);
  }
}
