/** Wraps a text at a width, and counts its lines. */
import { visibleWidth } from "@earendil-works/pi-tui";
import { wrapWords } from "./wrap-words.ts";

/**
 * Returns the lines of the text, wrapped at `width` columns but at least at 8. Line ends at the end of the text are
 * dropped.
 */
export function wrapText(text: string, width: number): string[] {
  const trimmed = text.replace(/\n+$/, "");
  return trimmed.split("\n").flatMap((line) => (line === "" ? [""] : wrapWords(line, Math.max(8, width))));
}

/** The minimum width of the second column of a row. A narrower column would break words. */
const minColumn = 12;

/**
 * Wraps as `wrapText` does, but a row of two columns, with two or more spaces between them, continues below its second
 * column.
 */
export function wrapRows(text: string, width: number): string[] {
  return text
    .replace(/\n+$/, "")
    .split("\n")
    .flatMap((line) => {
      const gap = visibleWidth(line) <= width ? null : /\S {2,}(?=\S)/.exec(line);
      const head = gap === null ? "" : line.slice(0, gap.index + gap[0].length);
      const column = visibleWidth(head);
      if (column === 0 || width - column < minColumn) return wrapText(line, width);
      const value = wrapText(line.slice(head.length), width - column);
      return value.map((part, index) => `${index === 0 ? head : " ".repeat(column)}${part}`);
    });
}

/** Returns the number of lines of a text. A line end at the end of the text does not begin another line. */
export function countLines(text: string): number {
  let count = text === "" ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < text.length - 1; at = text.indexOf("\n", at + 1))
    count += 1;
  return count;
}
