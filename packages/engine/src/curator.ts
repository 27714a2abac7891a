/**
 * Declares the interfaces through which `read_file` shows a part of a long file, and `bash` a summary of a long output. The
 * implementations are in `context`.
 */

import type { Aside } from "./aside.ts";

/** A range of lines, counted from 1. Both lines belong to the range. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export interface Curation {
  /** The lines to show: in order, without overlaps, all within the file. */
  readonly ranges: readonly LineRange[];
  /** Tells the model, in whole sentences, how the lines were chosen. */
  readonly reason: string;
}

/** The call of `read_file` for which lines are chosen, or of `bash` whose output is summarised. */
export interface CuratedCall {
  readonly signal: AbortSignal;
  /** The maximum number of characters in a result. A longer file is not shown whole. */
  readonly resultLimit: number;
  /** Access to the session's model; absent for the calls of an agent and for a call without a session. */
  readonly aside?: Aside;
  /** Shows the person the progress. */
  report(text: string): void;
}

export interface Curator {
  /**
   * Resolves to the lines that the model needs of a long file. Resolves to undefined if no part is chosen; the caller then
   * shows the file from its beginning. Never rejects.
   */
  curate(lines: readonly string[], call: CuratedCall): Promise<Curation | undefined>;
}

/** A command whose output is too long for a result. */
export interface LongOutput {
  readonly command: string;
  /** Resolves to the output. If it is longer than `maxChars`, lines in the middle are left out. */
  read(maxChars: number): Promise<string>;
}

export interface OutputSummarizer {
  /** Resolves to a summary for the model; undefined if there is none. Never rejects. */
  summarize(output: LongOutput, call: Pick<CuratedCall, "aside" | "report">): Promise<string | undefined>;
}
