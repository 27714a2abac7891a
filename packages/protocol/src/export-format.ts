/** Defines the formats of an exported session and the endings of their files. */
import type { ExportFormat } from "./host.ts";

export const exportFormats: readonly ExportFormat[] = ["markdown", "json", "html"];

export const exportEndings: Readonly<Record<ExportFormat, string>> = {
  markdown: ".md",
  json: ".json",
  html: ".html",
};

/** Returns the format that a file's ending means; undefined for an unknown ending. */
export function formatOfFile(path: string): ExportFormat | undefined {
  if (/\.html?$/i.test(path)) return "html";
  return exportFormats.find((format) => path.toLowerCase().endsWith(exportEndings[format]));
}
