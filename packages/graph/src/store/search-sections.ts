/**
 * Finds sections of code by words. It ranks the text and the names of symbols with BM25, and fuses both rankings, and the ranking by
 * vectors if there is one, by reciprocal rank.
 */
import type { DatabaseSync } from "node:sqlite";
import { searchedWords } from "../parse/searched-words.ts";
import { type Below, isBelowSql, type SectionRow, type SymbolRow } from "./find-rows.ts";

/** The number of sections, and of symbols, that are ranked at first. */
const firstRanked = 100;
/** The constant of reciprocal rank fusion. The larger it is, the less the first ranks count. */
const smoothing = 60;
interface Fused {
  score: number;
  symbol: number | undefined;
}

/** Returns the ids of at most `most` sections whose vectors are the most similar, the best first. */
export type Similar = (most: number) => readonly number[];

/**
 * Returns at most `most` sections, the best first, and at most three sections of one file unless only that file is searched. `similar`
 * finds sections by their vectors.
 */
export function searchSections(
  database: DatabaseSync,
  text: string,
  below: Below,
  most: number,
  similar: Similar = () => [],
): SectionRow[] {
  const query = searchedWords(text)
    .map((word) => `"${word}"`)
    .join(" OR ");
  // If the ranked sections are of few files, too few rows remain, because a file has at most three. Then more are ranked.
  for (let ranked = firstRanked; ; ranked *= 4) {
    const rankings = {
      vectors: similar(ranked),
      sections:
        query === "" ? [] : rankedRows(database, sectionsSql, { query, below: below ?? null, ranked }),
      symbols: query === "" ? [] : rankedRows(database, symbolsSql, { query, below: below ?? null, ranked }),
    };
    const rows = rowsOf(database, fuse(database, rankings), below, most);
    if (rows.length >= most || Object.values(rankings).every(({ length }) => length < ranked)) return rows;
  }
}

interface Rankings {
  readonly vectors: readonly number[];
  readonly sections: readonly number[];
  /** The ids of symbols; the other lists have ids of sections. */
  readonly symbols: readonly number[];
}

function fuse(database: DatabaseSync, { vectors, sections, symbols }: Rankings): ReadonlyMap<number, Fused> {
  const fused = new Map<number, Fused>();
  const add = (section: number, rank: number, symbol?: number) => {
    const one = fused.get(section) ?? { score: 0, symbol: undefined };
    one.score += 1 / (smoothing + rank);
    one.symbol ??= symbol;
    fused.set(section, one);
  };
  for (const [rank, section] of vectors.entries()) add(section, rank);
  for (const [rank, section] of sections.entries()) add(section, rank);
  const sectionOf = database.prepare(sectionOfSymbol);
  const seen = new Set<number>();
  for (const [rank, symbol] of symbols.entries()) {
    const section = Number(sectionOf.get(symbol)?.["id"] ?? 0);
    if (section === 0 || seen.has(section)) continue;
    seen.add(section);
    add(section, rank, symbol);
  }
  return fused;
}

/** Selects the ids of a table of words below a path. `of` is the table whose rows have those ids. */
const rankSql = (words: string, of: string) => `SELECT rowid FROM ${words} WHERE ${words} MATCH $query
  AND ($below IS NULL OR EXISTS (SELECT 1 FROM ${of} JOIN files ON files.id = ${of}.file
    WHERE ${of}.id = ${words}.rowid AND ${isBelowSql}))
  ORDER BY bm25(${words}, 2.0, 1.0) LIMIT $ranked`;
const sectionsSql = rankSql("section_words", "sections");
const symbolsSql = rankSql("symbol_words", "symbols");
const sectionOfSymbol = `SELECT sections.id FROM symbols JOIN sections ON sections.file = symbols.file
  WHERE symbols.id = ? AND sections.first_line <= symbols.line AND sections.last_line >= symbols.line`;

function rankedRows(
  database: DatabaseSync,
  sql: string,
  asked: { readonly query: string; readonly below: string | null; readonly ranked: number },
): number[] {
  return database
    .prepare(sql)
    .all(asked)
    .map((row) => Number(row["rowid"]));
}

function rowsOf(
  database: DatabaseSync,
  fused: ReadonlyMap<number, Fused>,
  below: Below,
  most: number,
): SectionRow[] {
  const section =
    database.prepare(`SELECT files.path, files.hash, first_line AS firstLine, last_line AS lastLine
    FROM sections JOIN files ON files.id = sections.file WHERE sections.id = ?`);
  const symbolRow =
    database.prepare(`SELECT files.path, files.hash, name, kind, container, line, end_line AS endLine
    FROM symbols JOIN files ON files.id = symbols.file WHERE symbols.id = ?`);
  const rows: SectionRow[] = [];
  const perFile = new Map<string, number>();
  for (const [id, { symbol }] of [...fused].sort(([, left], [, right]) => right.score - left.score)) {
    const row = section.get(id) as unknown as Omit<SectionRow, "symbol"> | undefined;
    if (row === undefined) continue;
    const count = (perFile.get(row.path) ?? 0) + 1;
    perFile.set(row.path, count);
    if (count > maxOfFile && row.path !== below) continue;
    const found =
      symbol === undefined ? undefined : (symbolRow.get(symbol) as unknown as SymbolRow | undefined);
    rows.push({ ...row, symbol: found });
    if (rows.length === most) break;
  }
  return rows;
}

const maxOfFile = 3;
