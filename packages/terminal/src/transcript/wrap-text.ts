/** Wraps a text at a width. */
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";

/** Returns the lines of the text, wrapped at `width` columns (8 at least), without the line ends at its end. */
export function wrapText(text: string, width: number): string[] {
  const trimmed = text.replace(/\n+$/, "");
  return trimmed
    .split("\n")
    .flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, Math.max(8, width))));
}
