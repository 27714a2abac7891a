/** Cuts a line to the width of the screen and ends its styles. */
import { CURSOR_MARKER, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

const reset = "\u001b[0m";
const plain = /^[\x20-\x7e]*$/;
/**
 * The blanks that replace a tab, as many as pi-tui counts for it. In a terminal the width of a tab depends on the
 * column.
 */
const tab = "   ";

export function fitLine(given: string, columns: number): string {
  const line = given.includes("\t") ? given.replaceAll("\t", tab) : given;
  if (plain.test(line)) return line.length <= columns ? line : line.slice(0, columns);
  const bare = line.includes(CURSOR_MARKER) ? line.replace(CURSOR_MARKER, "") : line;
  const fits = visibleWidth(bare) <= columns;
  const fitted = fits ? line : truncateToWidth(bare, columns, "");
  return fitted.includes("\u001b[") ? `${fitted}${reset}` : fitted;
}
