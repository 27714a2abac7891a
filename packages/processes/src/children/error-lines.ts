/** Finds lines that look like errors in an output that arrives in chunks, with their numbers. */

export interface ErrorLine {
  /** The number of the line in the output, from 1. */
  readonly number: number;
  /** The offset of its first byte in the output. */
  readonly offset: number;
  readonly text: string;
}

export interface ErrorLines {
  /** Reads the next chunk of the output. */
  push(chunk: Buffer): void;
  /** Returns the first lines that look like errors and lie between two offsets, with at most `mostBytes` together. */
  between(start: number, end: number, mostBytes: number): readonly ErrorLine[];
}

/** The number of bytes after which the search ends. The end of a longer output is shown anyway. */
const maxSearchedBytes = 64 * 1024 * 1024;
const maxLines = 400;
/** The maximum number of bytes of a line that are shown. */
const maxLineBytes = 240;

/** The words of an error as compilers, test runners, shells and interpreters write them, in three cases. */
const words = [
  ...[
    "error",
    "errors",
    "failed",
    "failure",
    "failures",
    "fatal",
    "exception",
    "panic",
    "panicked",
    "traceback",
  ],
  ...[
    "undefined reference",
    "segmentation fault",
    "not ok",
    "cannot",
    "abort",
    "aborted",
    "denied",
    "unhandled",
  ],
].flatMap((word) => [word, `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`, word.toUpperCase()]);
/** The signs that test runners print for a failed test, as their UTF-8 bytes. */
const marks = ["✗", "✘"].map((mark) => Buffer.from(mark).toString("latin1"));
const looksLikeError = new RegExp(`\\b(?:${words.join("|")}|\\w+Error)\\b|^E   |${marks.join("|")}`, "gm");
/** Matches a line that says that there were no errors. */
const noErrors = /\b(?:no|0|without) (?:errors?|failures?|failed|warnings?)\b/i;

export function createErrorLines(): ErrorLines {
  const found: ErrorLine[] = [];
  /** The beginning of a line whose end has not arrived. */
  let open: Buffer = Buffer.alloc(0);
  let openOffset = 0;
  let read = 0;
  let number = 1;

  function search(bytes: Buffer, offset: number): void {
    // In Latin-1 each character is one byte, so that positions in the text are offsets.
    const text = bytes.toString("latin1");
    let counted = 0;
    looksLikeError.lastIndex = 0;
    for (let match = looksLikeError.exec(text); match !== null; match = looksLikeError.exec(text)) {
      const start = text.lastIndexOf("\n", match.index) + 1;
      const next = text.indexOf("\n", match.index);
      const end = next === -1 ? text.length : next;
      number += newlines(bytes, counted, start);
      counted = start;
      if (!noErrors.test(text.slice(start, end)) && found.length < maxLines) {
        const line = bytes.subarray(start, Math.min(end, start + maxLineBytes)).toString("utf8");
        found.push({ number, offset: offset + start, text: line });
      }
      looksLikeError.lastIndex = end;
      if (next === -1) break;
    }
    number += newlines(bytes, counted, bytes.length);
  }

  return {
    push(chunk) {
      if (found.length >= maxLines || read > maxSearchedBytes) return;
      read += chunk.length;
      const last = chunk.lastIndexOf(10);
      if (last === -1) {
        open = Buffer.concat([open, chunk.subarray(0, Math.max(0, maxLineBytes - open.length))]);
        return;
      }
      const first = chunk.indexOf(10) + 1;
      search(Buffer.concat([open, chunk.subarray(0, first)]), openOffset);
      search(chunk.subarray(first, last + 1), read - chunk.length + first);
      open = Buffer.from(chunk.subarray(last + 1, last + 1 + maxLineBytes));
      openOffset = read - chunk.length + last + 1;
    },
    between(start, end, mostBytes) {
      const lines: ErrorLine[] = [];
      let bytes = 0;
      for (const line of found.filter(({ offset }) => offset >= start && offset < end)) {
        bytes += Buffer.byteLength(lineText(line)) + 1;
        if (bytes > mostBytes) break;
        lines.push(line);
      }
      return lines;
    },
  };
}

/** Returns the line with its number, as `read_file` writes it. */
export function lineText({ number, text }: ErrorLine): string {
  return `${number}: ${text}`;
}

function newlines(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let index = start; index < end; index += 1) if (bytes[index] === 10) count += 1;
  return count;
}
