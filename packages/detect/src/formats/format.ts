/** Declares a format: its row in the table, and the code that reads and writes its calls. */
import type { Opener } from "../scan/scan.ts";
import type { ToolSchema } from "../types.ts";
import type { CallWriter } from "../write/written-call.ts";
import type { FormatId, Row } from "./rows.ts";

/** A row of the table, with its id. */
export interface FormatInfo extends Omit<Row, "marks"> {
  readonly id: FormatId;
  /** A call of `read_file` in this format. */
  readonly example: string;
}

/** The code that reads and writes the calls of one format. Each format has one file. */
export interface Format {
  /** Returns the openers that read the calls of the format. `id` is the id of the format. */
  readonly openers: (tools: readonly ToolSchema[], id: FormatId) => readonly Opener[];
  readonly write: CallWriter;
  /** Writes words before calls, for a format in which plain text cannot come before a call. */
  readonly writeWords?: (words: string) => string;
  /** Another format of the same models. It is read whenever this format is read. */
  readonly alsoReads?: FormatId;
}

export interface TableRow extends FormatInfo, Row, Format {}
