/** Declares the rows that the index returns. `hash` is the hash of the text in which the lines were found. */
import type { SymbolKind } from "../languages/language.ts";
import type { SourcePlace } from "../parse/places.ts";

export interface SymbolRow {
  readonly path: string;
  readonly hash: string;
  readonly name: string;
  readonly kind: SymbolKind;
  readonly container: string;
  readonly line: number;
  readonly endLine: number;
}

export interface ReferenceRow {
  readonly path: string;
  readonly hash: string;
  readonly places: readonly SourcePlace[];
}

export interface SectionRow {
  readonly path: string;
  readonly hash: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** The symbol of the section whose name matches the words; undefined if only the text matches. */
  readonly symbol: SymbolRow | undefined;
}

/** Limits a search to a file, or to a folder with everything in it. If undefined, all files are searched. */
export type Below = string | undefined;

/** The condition in SQL that a row of `files` is below `$below`. A query must have it before its limit. */
export const isBelowSql =
  "($below IS NULL OR files.path = $below OR substr(files.path, 1, length($below) + 1) = $below || '/')";
