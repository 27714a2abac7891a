/** Declares the facts that parsing finds in one file. */
import type { SymbolKind } from "../languages/language.ts";

export interface FoundSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** The names of the enclosing definitions, joined by dots; empty if there are none. */
  readonly container: string;
  /** The line on which the name is, from 1. */
  readonly line: number;
  /** The last line of the definition. */
  readonly endLine: number;
  /** The text of the line with the name, without indentation, at most 200 characters. */
  readonly signature: string;
}

/** A part of a file. A search returns it as one result. */
export interface Section {
  readonly firstLine: number;
  readonly lastLine: number;
  /** The words of the section in the form that `splitWords` returns, joined by spaces. */
  readonly words: string;
}

export interface FileFacts {
  /** The hash of the text. */
  readonly hash: string;
  readonly language: string;
  readonly symbols: readonly FoundSymbol[];
  readonly imports: readonly string[];
  /** The places where names are used, in the form of `places.ts`. */
  readonly places: string;
  readonly sections: readonly Section[];
}

/** The outcome of parsing one text. */
export type ParseOutcome =
  | { readonly kind: "parsed"; readonly facts: FileFacts }
  /** The text has the hash that was given. */
  | { readonly kind: "same"; readonly hash: string }
  | { readonly kind: "skipped"; readonly reason: string };
