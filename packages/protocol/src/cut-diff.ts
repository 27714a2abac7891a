/** Writes and recognizes the line that marks the end of a truncated diff. */
import { countText } from "./count-text.ts";

/** Returns the last line of a truncated diff; `left` is the number of lines left out. */
export function cutDiffLine(left: number): string {
  return `[... ${countText(left, "more line")} of the diff]\n`;
}

/** Returns true if a diff is truncated. The marker is unambiguous: no line of a unified diff begins with a bracket. */
export function isCutDiff(diff: string): boolean {
  return /(?:^|\n)\[\.\.\. \d+ more lines? of the diff\]\n$/.test(diff.slice(-100));
}
