/** Declares a format: how a model writes its calls, and how they are read and written. */
import type { Opener } from "../scan/session.ts";
import type { ToolSchema } from "../types.ts";
import type { CallWriter } from "../write/written-call.ts";
import type { FormatId, Row } from "./rows.ts";

/** A row of the table, and one call as the model families write it. */
export interface FormatInfo extends Omit<Row, "marks"> {
  readonly id: FormatId;
  readonly example: string;
}

/** How calls of a format are read and written; each format has its file. */
export interface Format {
  readonly example: string;
  /** Returns the openers to watch for; each pairs a frame with the encoding of its content. `id` is the format's. */
  readonly openers: (tools: readonly ToolSchema[], id: FormatId) => readonly Opener[];
  readonly write: CallWriter;
  /** Writes words before calls, in a format where plain text cannot precede them. */
  readonly writeWords?: (words: string) => string;
  /** A format that the same models write as well, read with this one when it is the only one asked for. */
  readonly alsoReads?: FormatId;
}

export interface TableRow extends Row, Format {
  readonly id: FormatId;
}
