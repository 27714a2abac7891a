/** Folds lines at words, so that a narrow terminal does not break them inside a word. */

/** Returns the text as it should be written: folded to the width of a terminal, or unchanged for a file or pipe. */
export function folded(
  text: string,
  stream: { readonly isTTY?: boolean; readonly columns?: number } = process.stdout,
): string {
  // A terminal that does not know its size reports the width 0.
  return stream.isTTY === true && stream.columns ? foldLines(text, stream.columns) : text;
}

/** Returns the text with each line that is wider than `columns` folded. */
export function foldLines(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => foldLine(line, columns))
    .join("\n");
}

/**
 * Folds a line at its spaces. The following lines get the indentation of the first line. In a row of a table they begin
 * below the second cell; if the first cell is too wide for that, the gaps between the cells become narrow. A word
 * longer than a line is not broken, so that a path can be copied.
 */
function foldLine(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line;
  const indent = /^ */.exec(line)?.[0] ?? "";
  const cell = /^ *\S+(?: \S+)* {2,}/.exec(line)?.[0];
  if (cell === undefined) return foldWords(line, columns, indent);
  if (widthOf(cell) <= columns / 2) return foldWords(line, columns, " ".repeat(widthOf(cell)));
  const narrow = `${indent}${line.slice(indent.length).replace(/ {2,}/g, "  ")}`;
  return foldWords(narrow, columns, `${indent}    `);
}

function foldWords(line: string, columns: number, hang: string): string {
  const lines: string[] = [];
  let rest = line;
  for (let begin = /^ */.exec(line)?.[0].length ?? 0; widthOf(rest) > columns; begin = hang.length) {
    const space = lastSpace(rest, begin, columns);
    if (space === undefined) break;
    lines.push(rest.slice(0, space).trimEnd());
    rest = `${hang}${rest.slice(space).trimStart()}`;
  }
  return [...lines, rest].join("\n");
}

/**
 * Returns the index of the space at which to break the line: the last space up to which the line fits. Prefers a gap
 * between cells in the second half of the line. If the first word alone is too wide, returns the space after it.
 * Returns undefined if there is no space.
 */
function lastSpace(line: string, begin: number, columns: number): number | undefined {
  let last: number | undefined;
  let gap: number | undefined;
  for (let at = line.indexOf(" ", begin); at !== -1; at = line.indexOf(" ", at + 1)) {
    const width = widthOf(line.slice(0, at));
    if (width > columns) return gap ?? last ?? at;
    last = at;
    if (line[at + 1] === " " && width > columns / 2) gap = at;
  }
  return gap ?? last;
}

const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;

/** Returns the number of columns that a text without colours takes. */
function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const letter of text) width += /\p{M}/u.test(letter) ? 0 : wide.test(letter) ? 2 : 1;
  return width;
}
