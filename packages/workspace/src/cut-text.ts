/** Cuts a long result at the end of a line, and adds a note about how to read the remaining lines. */
import { countText } from "@localharness/protocol";

/**
 * Returns the number of the first lines that together have at most `limit` characters, and their text. If the first line is
 * longer, returns that line as `cutLine` cuts it.
 */
export function cutLines(
  lines: readonly string[],
  limit: number,
): { readonly count: number; readonly text: string } {
  let used = 0;
  let count = 0;
  while (count < lines.length && used + (lines[count]?.length ?? 0) <= limit) {
    used += (lines[count]?.length ?? 0) + 1;
    count += 1;
  }
  if (count === 0 && lines[0] !== undefined) return { count: 1, text: cutLine(lines[0], limit) };
  return { count, text: lines.slice(0, count).join("\n") };
}

/**
 * Returns a text of at most `limit` characters unchanged. Of a longer text, returns the lines that `cutLines` keeps, and
 * then what `note` returns for the number of lines left out, which is 0 for one long line.
 */
export function cutText(text: string, limit: number, note: (leftOut: number) => string): string {
  if (text.length <= limit) return text;
  const lines = text.split("\n");
  const cut = cutLines(lines, limit);
  return `${cut.text}\n${note(lines.length - cut.count)}`;
}

/** Returns a line of at most `limit` characters as it is, else its beginning and a note. Never splits a surrogate pair. */
export function cutLine(line: string, limit: number): string {
  if (line.length <= limit) return line;
  const code = line.charCodeAt(limit - 1);
  const end = code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit;
  return `${line.slice(0, end)} [... ${countText(line.length - end, "more character")}]`;
}
