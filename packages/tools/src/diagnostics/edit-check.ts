/** Declares the look at a file for which an edit has added errors. */
import type { ToolContext } from "@localharness/engine";

export interface Diagnostics {
  /** Begins to look at a file that an edit may change. Never throws; undefined if there is nothing to ask. */
  begin(path: string, context: EditContext): EditCheck | undefined;
  /** Ends the servers. */
  end(): void;
}

export type EditContext = Pick<ToolContext, "signal" | "denies" | "closedPlaces">;

export interface EditCheck {
  /** Resolves, within the time limit, to the text about new errors; undefined if none are known. Never rejects. */
  finish(): Promise<string | undefined>;
}
