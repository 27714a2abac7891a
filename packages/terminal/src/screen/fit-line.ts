/** Fits a line to the width of the screen. */
import { CURSOR_MARKER, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

const reset = "\u001b[0m";
const plain = /^[\x20-\x7e]*$/;
/**
 * The blanks that replace a tab, as many as pi-tui counts for it. In a terminal the width of a tab depends on the
 * column.
 */
const tab = "   ";

/** The maximum number of characters whose width is measured. With its styles and marks no row of a screen has as many. */
const maxChars = 10_000;

/** Matches blanks at the end of a line that have no style, with what resets styles after them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a style begins with Esc.
const blankEnd = /(^[^\u001b]*[^\u001b ]|^|\u001b\[0?m) +((?:\u001b\[0?m)*)$/;

/**
 * Fits a line to the width of the screen and ends its styles. A line that is cut ends with `…`. Leaves out blanks at its end,
 * because terminals differ in whether they wrap them when the window gets narrower.
 */
export function fitLine(given: string, columns: number): string {
  const fitted = cutLine(given, columns);
  return fitted.includes("  ") ? fitted.replace(blankEnd, "$1$2") : fitted;
}

function cutLine(given: string, columns: number): string {
  const begin = given.length > maxChars ? `${given.slice(0, maxChars)}…` : given;
  const line = begin.includes("\t") ? begin.replaceAll("\t", tab) : begin;
  if (line.length <= columns && plain.test(line)) return line;
  const bare = line.includes(CURSOR_MARKER) ? line.replace(CURSOR_MARKER, "") : line;
  const fitted = visibleWidth(bare) <= columns ? line : markedCut(bare.trimEnd(), columns);
  return fitted.includes("\u001b[") ? `${fitted}${reset}` : fitted;
}

function markedCut(line: string, columns: number): string {
  if (visibleWidth(line) <= columns) return line;
  if (columns < 1) return "";
  const kept = plain.test(line) ? line.slice(0, columns - 1) : truncateToWidth(line, columns - 1, "");
  return `${kept}…`;
}
