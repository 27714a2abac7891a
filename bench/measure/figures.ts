/** Medians, ranges and tables, as text. */

export interface Figure {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Undefined when there is nothing to take it of. */
export function figureOf(values: readonly number[]): Figure | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) return undefined;
  return { median: medianOf(sorted), min, max };
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** `140 (135-152)`. */
export function showFigure(figure: Figure | undefined, digits = 0): string {
  if (figure === undefined) return "-";
  const [median, min, max] = [figure.median, figure.min, figure.max].map((value) => value.toFixed(digits));
  return `${median} (${min}-${max})`;
}

/** `1.32x`, or `-` without something to compare with. */
export function showRatio(figure: Figure | undefined, base: Figure | undefined): string {
  if (figure === undefined || base === undefined || base.median === 0) return "-";
  return `${(figure.median / base.median).toFixed(2)}x`;
}

/** A Markdown table whose columns also line up in a terminal; all but the first are aligned right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const width = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${width.map((chars, column) => (column === 0 ? (cells[column] ?? "").padEnd(chars) : (cells[column] ?? "").padStart(chars))).join(" | ")} |`;
  const rule = width.map((chars, column) => (column === 0 ? "-".repeat(chars) : `${"-".repeat(chars - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

/** One line of what was aimed at and what came. */
export function goalLine(goal: string, measured: string, met: boolean | undefined): string {
  return `- ${met === undefined ? "not measured" : met ? "met   " : "MISSED"} ${goal}: ${measured}`;
}
