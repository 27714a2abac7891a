/**
 * Finds sections of code by words. It ranks the text and the names of symbols with BM25, and fuses both rankings, and the ranking by
 * vectors if there is one, by reciprocal rank.
 */
import type { DatabaseSync } from "node:sqlite";
import { searchedWords } from "../parse/searched-words.ts";
import { type Below, isBelow, type SectionRow, type SymbolRow } from "./find-rows.ts";

const ranked = 100;
/** The constant of reciprocal rank fusion. The larger it is, the less the first ranks count. */
const smoothing = 60;
interface Fused {
  score: number;
  symbol: number | undefined;
}

/**
 * Returns at most `most` sections, the best first, and at most three sections of one file. `similar` are sections ranked by their
 * vectors.
 */
export function searchSections(
  database: DatabaseSync,
  text: string,
  below: Below,
  most: number,
  similar: readonly number[] = [],
): SectionRow[] {
  const words = searchedWords(text);
  const query = words.map((word) => `"${word}"`).join(" OR ");
  const fused = new Map<number, Fused>();
  const add = (section: number, rank: number, symbol?: number) => {
    const one = fused.get(section) ?? { score: 0, symbol: undefined };
    one.score += 1 / (smoothing + rank);
    one.symbol ??= symbol;
    fused.set(section, one);
  };
  for (const [rank, section] of similar.entries()) add(section, rank);
  if (words.length === 0) return rowsOf(database, fused, below, most);
  for (const [rank, section] of rankedRows(database, sectionsSql, query).entries()) add(section, rank);
  const sectionOf = database.prepare(sectionOfSymbol);
  const seen = new Set<number>();
  for (const [rank, symbol] of rankedRows(database, symbolsSql, query).entries()) {
    const section = Number(sectionOf.get(symbol)?.["id"] ?? 0);
    if (section === 0 || seen.has(section)) continue;
    seen.add(section);
    add(section, rank, symbol);
  }
  return rowsOf(database, fused, below, most);
}

const sectionsSql = `SELECT rowid FROM section_words WHERE section_words MATCH ?
  ORDER BY bm25(section_words, 2.0, 1.0) LIMIT ${ranked}`;
const symbolsSql = `SELECT rowid FROM symbol_words WHERE symbol_words MATCH ?
  ORDER BY bm25(symbol_words, 2.0, 1.0) LIMIT ${ranked}`;
const sectionOfSymbol = `SELECT sections.id FROM symbols JOIN sections ON sections.file = symbols.file
  WHERE symbols.id = ? AND sections.first_line <= symbols.line AND sections.last_line >= symbols.line`;

function rankedRows(database: DatabaseSync, sql: string, query: string): number[] {
  return database
    .prepare(sql)
    .all(query)
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
    if (row === undefined || !isBelow(row.path, below)) continue;
    const count = (perFile.get(row.path) ?? 0) + 1;
    perFile.set(row.path, count);
    if (count > maxOfFile) continue;
    const found =
      symbol === undefined ? undefined : (symbolRow.get(symbol) as unknown as SymbolRow | undefined);
    rows.push({ ...row, symbol: found });
    if (rows.length === most) break;
  }
  return rows;
}

const maxOfFile = 3;
