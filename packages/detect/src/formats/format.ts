/** What a row of the table of formats is: how a model writes its calls, and how such calls are read and written. */
import type { Opener } from "../scan/session.ts";
import type { FormatId, ToolSchema } from "../types.ts";
import type { CallWriter } from "../write/written-call.ts";

/** A row of the table: an id, a title, the model families that write it, and one call as they write it. */
export interface FormatInfo {
  readonly id: FormatId;
  readonly title: string;
  /** Parts of model names, in lower case, without separators between family and version. */
  readonly models: readonly string[];
  readonly example: string;
}

/** A format's one definition, for both directions; each has a file of its own. */
export interface Format extends FormatInfo {
  /** What stands in the chat template of a model that writes the format, and in few others. */
  readonly templateMarks: readonly string[];
  /** What is watched for: each opener pairs a frame with the encoding of what stands inside it. */
  readonly openers: (tools: readonly ToolSchema[]) => readonly Opener[];
  readonly write: CallWriter;
  /** Puts words in front of written calls, where they cannot simply stand there. */
  readonly writeWords?: (words: string) => string;
  /** A format that the same models write as well, read with this one when it is the only one asked for. */
  readonly alsoReads?: FormatId;
}
