/** What a format is: how a model writes its calls, and how such calls are read and written. */
import type { Opener } from "../scan/session.ts";
import type { ToolSchema } from "../types.ts";
import type { CallWriter } from "../write/written-call.ts";
import type { FormatId, Row } from "./rows.ts";

/** A row of the table, and one call as the model families write it. */
export interface FormatInfo extends Omit<Row, "templateMarks"> {
  readonly id: FormatId;
  readonly example: string;
}

/** How calls of a format are read and written; each format has its file. */
export interface Format {
  readonly id: FormatId;
  readonly example: string;
  /** What is watched for: each opener pairs a frame with the encoding of what stands inside it. */
  readonly openers: (tools: readonly ToolSchema[]) => readonly Opener[];
  readonly write: CallWriter;
  /** Puts words in front of written calls, where they cannot simply stand there. */
  readonly writeWords?: (words: string) => string;
  /** A format that the same models write as well, read with this one when it is the only one asked for. */
  readonly alsoReads?: FormatId;
}
