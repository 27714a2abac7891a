/** Declares what the index knows about a programming language. */

/**
 * The kinds of symbols. A query captures the whole node of a definition under its kind, and its name as `@name`.
 */
export const symbolKinds = [
  "function",
  "method",
  "class",
  "interface",
  "struct",
  "enum",
  "trait",
  "type",
  "module",
  "macro",
  "constant",
  "variable",
  "field",
] as const;

export type SymbolKind = (typeof symbolKinds)[number];

export interface Language {
  readonly id: string;
  /** The endings of file names, with the dot. */
  readonly extensions: readonly string[];
  /** The grammar's file in `@vscode/tree-sitter-wasm`, without `tree-sitter-` and `.wasm`. */
  readonly grammar: string;
  /**
   * A tree-sitter query. `@name` with the capture of a kind is a definition, `@call` the name of a called function, `@import` the
   * module or file that is imported, `@imports` the statement around it, `@reference` any other name that is used. A node that
   * several patterns capture counts as definition, else as import, else as call.
   */
  readonly query: string;
}
