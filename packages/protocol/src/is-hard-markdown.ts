/**
 * Detects Markdown that is too costly to parse, which is then shown as plain text. The parser compares each opening
 * mark with all text after it, and recurses for each nesting level.
 */

/** The maximum number of marks that can open emphasis. Without an end, their cost grows with the square of their number. */
const maxOpeners = 200;
const maxMarks = 800;
const maxDollars = 100;

const opener = /(?<![\p{L}\p{N}])[*_]+(?=\S)/gu;
const mark = /[*_`[\]<~!&\\]/g;
const dollars = /\$\$/g;
/**
 * Matches quotes and lists that are nested at least eight levels deep. The lookahead excludes a horizontal rule, which
 * consists of the same characters.
 */
const deep = /^(?![ \t]*([-*_])(?:[ \t]*\1)+[ \t]*$)(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){8}/m;
const tableRule = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

export function isHardMarkdown(text: string): boolean {
  if (deep.test(text)) return true;
  if (text.length <= maxOpeners) return false;
  const lines = text.split("\n");
  // The parser reads the cells of a table one by one, so each line of a table is measured separately.
  const pieces = tableRule.test(lines[1] ?? "") ? lines : [text];
  return pieces.some(isCrowded);
}

function isCrowded(text: string): boolean {
  return (
    countOf(mark, text) > maxMarks ||
    countOf(opener, text) > maxOpeners ||
    countOf(dollars, text) > maxDollars
  );
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}
