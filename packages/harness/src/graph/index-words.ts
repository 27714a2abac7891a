/** Describes in words what the index contains and what a build did. */

import type { EmbedReport, FoundLine, IndexStatus, SweepReport } from "@localharness/graph";
import { countText } from "@localharness/protocol";

const maxSkipped = 20;

export function statusLines(status: IndexStatus): readonly string[] {
  const languages = Object.entries(status.languages).map(([name, files]) => `${name} ${files}`);
  return [
    `${sizeWords(status)}, ${builtWords(status)}`,
    ...missingLines(status.missing),
    ...embeddedLines(status.vectors),
    ...(languages.length === 0 ? [] : [`languages: ${languages.join(", ")}`]),
    ...skippedLines(status.skipped, status.skippedFiles),
  ];
}

/** Returns a line that says why some files are not in the index; no line if `missing` is undefined. */
export function missingLines(missing: IndexStatus["missing"]): readonly string[] {
  return missing === undefined ? [] : [`not all source files are in the index: ${missingWords[missing]}`];
}

function sizeWords({ files, symbols, bytes }: IndexStatus): string {
  return `${countText(files, "file")}, ${countText(symbols, "symbol")}, ${megabytes(bytes)} MB`;
}

function builtWords({ builtAt, missing }: IndexStatus): string {
  if (missing !== undefined) return "not complete";
  if (builtAt === undefined) return "not complete: localharness index build goes on";
  return `complete since ${new Date(builtAt).toISOString()}`;
}

const missingWords: Readonly<Record<NonNullable<IndexStatus["missing"]>, string>> = {
  files: "it has its maximum number",
  bytes: "it has its maximum size",
  listing: "not all files of the folder could be listed",
};

export function buildLines(report: SweepReport, status: IndexStatus, ms: number): readonly string[] {
  const removed = report.removed === 0 ? "" : `, ${report.removed} removed`;
  return [
    `${countText(report.indexed, "file")} indexed${removed} in ${(ms / 1_000).toFixed(1)} s; the index has ${sizeWords(status)}`,
    ...skippedLines(report.skipped, report.skipped.length),
    ...(report.incomplete === undefined ? [] : [incompleteWords(report.incomplete, report.files)]),
  ];
}

function incompleteWords(reason: NonNullable<SweepReport["incomplete"]>, files: number): string {
  switch (reason) {
    case "cancelled":
      return "interrupted: the index is valid, the next build goes on from here";
    default:
      return `not all of the ${countText(files, "source file")} are in the index: ${missingWords[reason]}`;
  }
}

function skippedLines(skipped: IndexStatus["skipped"], all: number): readonly string[] {
  if (all === 0) return [];
  const rest = all > maxSkipped ? [`  and ${countText(all - maxSkipped, "other")}`] : [];
  return [
    `left out: ${all}`,
    ...skipped.slice(0, maxSkipped).map(({ path, reason }) => `  ${path}: ${reason}`),
    ...rest,
  ];
}

export function foundLines(lines: readonly FoundLine[]): readonly string[] {
  if (lines.length === 0) return ["nothing was found"];
  return lines.map(({ path, line, what, text }) => `${path}:${line} ${what}: ${text}`);
}

function megabytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1);
}

/** Returns the lines about the vectors that a build has made; none without an embedding model. */
export function vectorLines(report: EmbedReport | undefined): readonly string[] {
  if (report === undefined) return [];
  const { embedded, withVector, sections, problem } = report;
  const line = `${countText(embedded, "section")} embedded; ${withVector} of ${sections} have a vector`;
  return problem === undefined
    ? [line]
    : [line, `not all have one: ${problem}. The next build goes on from here`];
}

function embeddedLines({ model, embedded, sections }: IndexStatus["vectors"]): readonly string[] {
  return model === undefined ? [] : [`vectors: ${embedded} of ${countText(sections, "section")}, ${model}`];
}
