/** Formats the lines of an answer for the model and for people. */
import { visibleLine } from "@localharness/protocol";
import type { FoundLine } from "../answers.ts";

const maxTextChars = 200;

export interface ShownLines {
  readonly lines: readonly FoundLine[];
  readonly total: number;
  /** A description of what was searched, such as `Definitions named "a"`. */
  readonly title: string;
  /** The advice that is given if there are no lines. */
  readonly none: string;
}

/**
 * Returns the answer: a heading, and a line `path:line what: text` for each found line. At least one line is shown; further
 * lines are shown while all shown lines have at most `limit` characters. Without lines, returns the title and the advice.
 */
export function showLines({ lines, total, title, none }: ShownLines, limit: number): string {
  if (lines.length === 0) return `${title}: none. ${none}`;
  const shown: string[] = [];
  let used = 0;
  for (const line of lines) {
    const text = oneLine(line);
    used += text.length + 1;
    if (used > limit && shown.length > 0) break;
    shown.push(text);
  }
  const first = shown.length < total ? ` (the first ${shown.length}; narrow the search with path)` : "";
  return `${title}: ${total}${first}\n\n${shown.join("\n")}`;
}

function oneLine({ path, line, what, text }: FoundLine): string {
  const cut = text.length > maxTextChars ? `${text.slice(0, maxTextChars)} [...]` : text;
  return `${visibleLine(path)}:${line} ${what}: ${cut}`;
}
