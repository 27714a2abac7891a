/** Splits text into lines that keep their line ends, so that lines which are not edited stay unchanged. */

/** Returns each line with its end (`\n` or `\r\n`). The last line may have no end. Empty text has no lines. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    if (end === -1) {
      lines.push(text.slice(start));
      break;
    }
    lines.push(text.slice(start, end + 1));
    start = end + 1;
  }
  return lines;
}

/** Returns the line without its end. */
export function bareLine(line: string): string {
  return line.endsWith("\r\n") ? line.slice(0, -2) : line.endsWith("\n") ? line.slice(0, -1) : line;
}

export type LineEnd = "\n" | "\r\n";

/** Returns the line end that most lines have; `\n` if neither has a majority, or if there is none. */
export function lineEndOf(text: string): LineEnd {
  let windows = 0;
  let total = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    total += 1;
    windows += text.charCodeAt(at - 1) === 13 ? 1 : 0;
  }
  return windows * 2 > total ? "\r\n" : "\n";
}

/** Returns the text with every line end replaced by `end`. */
export function withLineEnd(text: string, end: LineEnd): string {
  const plain = text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
  return end === "\n" ? plain : plain.replaceAll("\n", "\r\n");
}

/** Splits the model's text into lines with the line end `end`. One final line end does not add an empty line. */
export function newLines(text: string, end: LineEnd): string[] {
  if (text === "") return [];
  const plain = withLineEnd(text, "\n");
  const body = plain.endsWith("\n") ? plain.slice(0, -1) : plain;
  return body.split("\n").map((line) => line + end);
}
