/** One line that is typed into a dialog: letters join it, backspace takes one back. */
import { decodeKittyPrintable, matchesKey } from "@earendil-works/pi-tui";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The line after a key; undefined when the key does not change a line. */
export function typeInto(line: string, data: string): string | undefined {
  if (matchesKey(data, "backspace")) return withoutLast(line);
  if (matchesKey(data, "ctrl+u")) return "";
  if (matchesKey(data, "ctrl+w")) return line.replace(/\S*\s*$/, "");
  const text = pasted(data) ?? decodeKittyPrintable(data) ?? (isText(data) ? data : undefined);
  return text === undefined ? undefined : line + text;
}

const begin = "\u001b[200~";
const end = "\u001b[201~";

/** What was pasted, on one line. */
function pasted(data: string): string | undefined {
  if (!data.startsWith(begin) || !data.endsWith(end)) return undefined;
  return data.slice(begin.length, -end.length).replace(/\p{Cc}+/gu, " ");
}

function withoutLast(line: string): string {
  const graphemes = [...segmenter.segment(line)].map(({ segment }) => segment);
  return graphemes.slice(0, -1).join("");
}

function isText(data: string): boolean {
  return data !== "" && !/\p{Cc}/u.test(data);
}
