/** What a row of the table of formats is. */
import type { Opener } from "../scan/session.ts";
import type { FormatId, ToolSchema } from "../types.ts";

/** A row of the table: an id, a title, the model families that write it, and one call as they write it. */
export interface FormatInfo {
  readonly id: FormatId;
  readonly title: string;
  /** Parts of model names, in lower case, without separators between family and version. */
  readonly models: readonly string[];
  readonly example: string;
}

export interface Format extends FormatInfo {
  readonly openers: (tools: readonly ToolSchema[]) => readonly Opener[];
}
