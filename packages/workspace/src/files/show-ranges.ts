/** Writes some ranges of a file's lines with their numbers, and says which lines are left out and how to read them. */
import type { LineRange } from "@localharness/engine";
import { cutLine, cutLines } from "../cut-text.ts";

export interface ShownRanges {
  readonly text: string;
  /** The lines that are in the text. */
  readonly shown: readonly LineRange[];
}

/** Returns the text of the ranges, cut at about `limit` characters. `lines` must have no line ends. */
export function showRanges(
  lines: readonly string[],
  ranges: readonly LineRange[],
  limit: number,
  maxLineChars: number,
): ShownRanges {
  const rows: { readonly text: string; readonly line?: number }[] = [];
  let next = 1;
  for (const { first, last } of ranges) {
    if (first > next) rows.push({ text: gap(next, first - 1) });
    for (let line = first; line <= last; line += 1)
      rows.push({ text: `${line}: ${cutLine(lines[line - 1] ?? "", maxLineChars)}`, line });
    next = last + 1;
  }
  const { count, text } = cutLines(
    rows.map((row) => row.text),
    limit,
  );
  const kept = rows.slice(0, count);
  const shown = joinShown(kept.flatMap(({ line }) => (line === undefined ? [] : [line])));
  const after = (shown.at(-1)?.last ?? 0) + 1;
  const endsInGap = kept.at(-1)?.line === undefined;
  const ending = after <= lines.length && !endsInGap ? `\n${gap(after, lines.length)}` : "";
  return { text: text + ending, shown };
}

function gap(first: number, last: number): string {
  const what = first === last ? `line ${first} is` : `lines ${first}-${last} are`;
  const it = first === last ? "it" : "them";
  return `[${what} left out: read_file with offset=${first} and end_line=${last} shows ${it}]`;
}

function joinShown(numbers: readonly number[]): readonly LineRange[] {
  const ranges: LineRange[] = [];
  for (const line of numbers) {
    const before = ranges.at(-1);
    if (before?.last === line - 1) ranges[ranges.length - 1] = { first: before.first, last: line };
    else ranges.push({ first: line, last: line });
  }
  return ranges;
}
