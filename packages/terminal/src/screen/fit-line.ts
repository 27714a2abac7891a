/** A line that is never wider than the screen, and whose styles end with it. */
import { CURSOR_MARKER, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

const reset = "\u001b[0m";
const plain = /^[\x20-\x7e]*$/;

export function fitLine(line: string, columns: number): string {
  if (plain.test(line)) return line.length <= columns ? line : line.slice(0, columns);
  const bare = line.includes(CURSOR_MARKER) ? line.replace(CURSOR_MARKER, "") : line;
  const fits = visibleWidth(bare) <= columns;
  const fitted = fits ? line : truncateToWidth(bare, columns, "");
  return fitted.includes("\u001b[") ? `${fitted}${reset}` : fitted;
}
