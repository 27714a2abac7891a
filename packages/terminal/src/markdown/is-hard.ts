/**
 * Markdown whose reading costs more than anybody gains by it: the reader of Markdown tries each mark that opens something
 * with all that follows, and calls itself for each level. Such text is shown as it is written.
 */

/** Marks of emphasis that nothing has closed yet cost by their square. */
const mostOpeners = 200;
const mostMarks = 800;
const mostDollars = 100;

const opener = /(?<![\p{L}\p{N}])[*_]+(?=\S)/gu;
const mark = /[*_`[\]<~!&\\]/g;
const dollars = /\$\$/g;
/** Quotes and lists in each other, eight deep; a rule may be written in the same characters. */
const deep = /^(?![ \t]*([-*_])(?:[ \t]*\1)+[ \t]*$)(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){8}/m;
const tableRule = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

export function isHardMarkdown(text: string): boolean {
  if (deep.test(text)) return true;
  if (text.length <= mostOpeners) return false;
  const lines = text.split("\n");
  // The cells of a table are read one by one.
  const pieces = tableRule.test(lines[1] ?? "") ? lines : [text];
  return pieces.some(isCrowded);
}

function isCrowded(text: string): boolean {
  return (
    countOf(mark, text) > mostMarks ||
    countOf(opener, text) > mostOpeners ||
    countOf(dollars, text) > mostDollars
  );
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}
