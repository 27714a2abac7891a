/** Declares how the index describes a programming language. */

/**
 * The kinds of symbols. A query captures the whole node of a definition under the name of its kind, and the
 * definition's name as `@name`.
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
  /** The name of the grammar's file in `@vscode/tree-sitter-wasm`, without `tree-sitter-` and `.wasm`. */
  readonly grammar: string;
  /**
   * A tree-sitter query. `@name` together with the capture of a kind is a definition. `@call` is the name of a called
   * function, `@import` the imported module or file, `@imports` the statement around it, and `@reference` any other
   * name that is used. A node that several patterns capture counts as definition, or else as import, or else as call.
   */
  readonly query: string;
}
