/** Computes medians and ranges, and formats them and tables as text. */

export interface Figure {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Returns median and range of the values; undefined without values. */
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

/** Returns median and range as text: `140 (135-152)`. */
export function showFigure(figure: Figure | undefined, digits = 0): string {
  if (figure === undefined) return "-";
  const [median, min, max] = [figure.median, figure.min, figure.max].map((value) => value.toFixed(digits));
  return `${median} (${min}-${max})`;
}

/** Returns the ratio of two medians as text: `1.32x`, or `-` when one is missing. */
export function showRatio(figure: Figure | undefined, base: Figure | undefined): string {
  if (figure === undefined || base === undefined || base.median === 0) return "-";
  return `${(figure.median / base.median).toFixed(2)}x`;
}

/** Returns a Markdown table whose columns also line up in a terminal; all but the first are right-aligned. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const width = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${width.map((chars, column) => (column === 0 ? (cells[column] ?? "").padEnd(chars) : (cells[column] ?? "").padStart(chars))).join(" | ")} |`;
  const rule = width.map((chars, column) => (column === 0 ? "-".repeat(chars) : `${"-".repeat(chars - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

/** Returns one line with a goal, the measured value, and whether the goal is met. */
export function goalLine(goal: string, measured: string, met: boolean | undefined): string {
  return `- ${met === undefined ? "not measured" : met ? "met   " : "MISSED"} ${goal}: ${measured}`;
}
