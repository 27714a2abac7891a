/**
 * Detects Markdown that is too costly to parse: the parser tries each opening mark against all the text after it and
 * recurses for each nesting level. Such text is shown as it is written.
 */

/** The maximum number of emphasis marks without an end, because their cost grows with the square of their number. */
const maxOpeners = 200;
const maxMarks = 800;
const maxDollars = 100;

const opener = /(?<![\p{L}\p{N}])[*_]+(?=\S)/gu;
const mark = /[*_`[\]<~!&\\]/g;
const dollars = /\$\$/g;
/**
 * Matches quotes and lists that are nested eight levels deep. The lookahead excludes a horizontal rule, which uses the
 * same characters.
 */
const deep = /^(?![ \t]*([-*_])(?:[ \t]*\1)+[ \t]*$)(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){8}/m;
const tableRule = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

export function isHardMarkdown(text: string): boolean {
  if (deep.test(text)) return true;
  if (text.length <= maxOpeners) return false;
  const lines = text.split("\n");
  // The parser reads the cells of a table one by one, so each line is measured alone.
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
