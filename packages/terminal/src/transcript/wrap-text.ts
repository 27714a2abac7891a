/** Wraps a text at a width, and counts its lines. */
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";

/** Returns the lines of the text, wrapped at `width` columns (8 at least), without the line ends at its end. */
export function wrapText(text: string, width: number): string[] {
  const trimmed = text.replace(/\n+$/, "");
  return trimmed
    .split("\n")
    .flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, Math.max(8, width))));
}

/** Returns the number of lines of a text. A line end at the end of the text does not begin another line. */
export function countLines(text: string): number {
  let count = text === "" ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < text.length - 1; at = text.indexOf("\n", at + 1))
    count += 1;
  return count;
}
