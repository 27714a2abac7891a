/** Declares the rows that the index returns. `hash` is that of the text in which the lines were found. */
import type { SymbolKind } from "../languages/language.ts";
import type { Place } from "../parse/places.ts";

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
  readonly places: readonly Place[];
}

export interface SectionRow {
  readonly path: string;
  readonly hash: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** The symbol of the section whose name is like the words; undefined if only the text is. */
  readonly symbol: SymbolRow | undefined;
}

/** The condition on the paths of a search: a file, or a folder and all below it. */
export type Below = string | undefined;

export function isBelow(path: string, below: Below): boolean {
  return below === undefined || path === below || path.startsWith(`${below}/`);
}
