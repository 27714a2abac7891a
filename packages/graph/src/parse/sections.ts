/** Cuts a file into sections for the search. Sections begin where definitions begin. */
import type { FoundSymbol, Section } from "./facts.ts";
import { splitWords } from "./split-words.ts";

const fewLines = 8;
const mostLines = 60;

/**
 * Returns sections of 8 to 60 lines that together cover the file; the last may be shorter. A comment right before a
 * definition belongs to the section of the definition.
 */
export function cutSections(lines: readonly string[], symbols: readonly FoundSymbol[]): readonly Section[] {
  const starts = new Set(symbols.map(({ line }) => withComment(lines, line)));
  const sections: Section[] = [];
  let first = 1;
  for (let line = 1; line <= lines.length; line += 1) {
    const isLast = line === lines.length;
    const length = line - first + 1;
    if (isLast || length >= mostLines || (length >= fewLines && starts.has(line + 1))) {
      const text = lines.slice(first - 1, line).join("\n");
      sections.push({ firstLine: first, lastLine: line, words: splitWords(text).join(" ") });
      first = line + 1;
    }
  }
  return sections;
}

/** Returns the first line of the comments and decorators right above a line; the line itself if there are none. */
function withComment(lines: readonly string[], line: number): number {
  let first = line;
  while (first > 1 && /^\s*(?:\/\/|\/\*|\*|#|@|--|"""|\[)/.test(lines[first - 2] ?? "")) first -= 1;
  return first;
}
