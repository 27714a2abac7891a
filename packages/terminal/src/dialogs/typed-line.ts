/** Edits the one-line text input of a dialog: appends typed and pasted text and handles Backspace, Ctrl+U and Ctrl+W. */
import { decodeKittyPrintable, matchesKey } from "@earendil-works/pi-tui";
import { pastedIn } from "../editor/bracketed-paste.ts";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Returns the line after a key press; undefined when the key does not edit text. */
export function typeInto(line: string, data: string): string | undefined {
  if (matchesKey(data, "backspace")) return withoutLast(line);
  if (matchesKey(data, "ctrl+u")) return "";
  if (matchesKey(data, "ctrl+w")) return withoutLastWord(line);
  const text =
    pastedIn(data)?.replace(/\p{Cc}+/gu, " ") ??
    decodeKittyPrintable(data) ??
    (isText(data) ? data : undefined);
  return text === undefined ? undefined : line + text;
}

/**
 * Returns the line without its last word. Scans from the end, because a regular expression that is anchored at the end would
 * try every offset of a long line.
 */
function withoutLastWord(line: string): string {
  let end = line.trimEnd().length;
  while (end > 0 && !/\s/.test(line[end - 1] ?? "")) end -= 1;
  return line.slice(0, end);
}

function withoutLast(line: string): string {
  const graphemes = [...segmenter.segment(line)].map(({ segment }) => segment);
  return graphemes.slice(0, -1).join("");
}

function isText(data: string): boolean {
  return data !== "" && !/\p{Cc}/u.test(data);
}
