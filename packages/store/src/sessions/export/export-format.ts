/** The forms in which a session can be taken out. */
export type ExportFormat = "markdown" | "json" | "html";

export const exportFormats: readonly ExportFormat[] = ["markdown", "json", "html"];

export const exportEndings: Readonly<Record<ExportFormat, string>> = {
  markdown: ".md",
  json: ".json",
  html: ".html",
};

/** The format that a file's ending stands for. */
export function formatOfFile(path: string): ExportFormat | undefined {
  if (/\.html?$/i.test(path)) return "html";
  return exportFormats.find((format) => path.toLowerCase().endsWith(exportEndings[format]));
}
