/** Declares what an export of a session contains, and its formats. */
import type { ExportFormat, Item } from "@localharness/protocol";

/** A format of a file, or `terminal` for text on a screen. */
export type ShownFormat = ExportFormat | "terminal";

/** The content of a session that an export for people contains. */
export interface ExportedSession {
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
  /** The time when the session was created, in Unix milliseconds. */
  readonly created: number;
  readonly model: string;
  readonly systemPrompt?: string;
  /** What a person sees of the session. */
  readonly items: readonly Item[];
}
