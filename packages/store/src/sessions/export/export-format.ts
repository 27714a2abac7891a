/** Defines the formats of an exported session and their file extensions. */
import type { ExportFormat, Item } from "@localharness/protocol";

/** A format of a file, or `terminal` for text on a screen. */
export type ShownFormat = ExportFormat | "terminal";

export const exportFormats: readonly ExportFormat[] = ["markdown", "json", "html"];

export const exportEndings: Readonly<Record<ExportFormat, string>> = {
  markdown: ".md",
  json: ".json",
  html: ".html",
};

/** Returns the format that a file's extension means; undefined for an unknown extension. */
export function formatOfFile(path: string): ExportFormat | undefined {
  if (/\.html?$/i.test(path)) return "html";
  return exportFormats.find((format) => path.toLowerCase().endsWith(exportEndings[format]));
}

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
