/** Declares the interface through which `read_file` shows a part of a long file. The implementation is in `context`. */

/** A range of lines, counted from 1. Both lines belong to the range. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export interface Curation {
  /** The lines to show: in order, without overlaps, all within the file. */
  readonly ranges: readonly LineRange[];
  /** A sentence for the model about how the lines were chosen. */
  readonly reason: string;
}

export interface Curator {
  /**
   * Resolves to the lines that the model needs of a long file. Resolves to undefined if no part of the file can be chosen; the
   * caller then shows the file from its beginning. Never rejects.
   */
  curate(lines: readonly string[], signal: AbortSignal): Promise<Curation | undefined>;
}
