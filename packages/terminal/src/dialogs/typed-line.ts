/** One line that is typed into a dialog: letters join it, backspace takes one back. */
import { decodeKittyPrintable, matchesKey } from "@earendil-works/pi-tui";
import { pastedIn } from "../editor/bracketed-paste.ts";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The line after a key; undefined when the key does not change a line. */
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

/** Looked at from the end: a search for what stands at the end of a long line tries every place in it. */
function withoutLastWord(line: string): string {
  let end = line.trimEnd().length;
  while (end > 0 && !/\s/.test(line[end - 1] ?? "")) end--;
  return line.slice(0, end);
}

function withoutLast(line: string): string {
  const graphemes = [...segmenter.segment(line)].map(({ segment }) => segment);
  return graphemes.slice(0, -1).join("");
}

function isText(data: string): boolean {
  return data !== "" && !/\p{Cc}/u.test(data);
}
