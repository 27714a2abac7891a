/**
 * Encodes and decodes NDJSON: one JSON value per line, each line ended by `\n`. `JSON.stringify` escapes every line
 * break inside a value. Only `\n` ends a line; Node's `readline` would also split at U+2028.
 */
import { reasonOf } from "./reason-of.ts";

/** Returns a value as one line of JSON, ended by `\n`. */
export function encodeLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

export type DecodedLine =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: string; readonly message: string };

export interface LineDecoder {
  /**
   * Returns the values of all lines that this chunk completes. Skips blank lines. Returns an error for a line that is not
   * JSON, or as soon as a line is too long. Never throws.
   */
  push(chunk: string): DecodedLine[];
  /** Returns the value of the last line if no line break ended it; otherwise an empty list. */
  end(): DecodedLine[];
}

/**
 * Returns a decoder that splits text into lines and parses each line as JSON. It ignores a byte order mark at the beginning. It
 * buffers at most `maxLineChars` characters of a line, and reports a longer line once.
 */
export function createLineDecoder(maxLineChars = 64 * 1024 * 1024): LineDecoder {
  let pieces: string[] = [];
  let held = 0;
  let skipping = false;
  let first = true;

  /** Buffers a piece of the current line. Reports the line when it becomes too long. */
  function hold(text: string): DecodedLine[] {
    if (skipping || text === "") return [];
    pieces.push(text);
    held += text.length;
    if (held <= maxLineChars) return [];
    const line = pieces.join("").slice(0, Math.min(200, maxLineChars));
    pieces = [];
    skipping = true;
    return [{ ok: false, line, message: `a line is longer than ${maxLineChars} characters` }];
  }

  /** Ends the current line and decodes it, unless it was reported as too long. */
  function finish(rest: string): DecodedLine[] {
    const reported = hold(rest);
    const line = pieces.join("").replace(first ? /^\ufeff|\r$/g : /\r$/, "");
    first = false;
    const decoded = skipping || line.trim() === "" ? [] : [decode(line)];
    pieces = [];
    held = 0;
    skipping = false;
    return [...reported, ...decoded];
  }

  return {
    push(chunk) {
      const decoded: DecodedLine[] = [];
      let from = 0;
      for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", from)) {
        decoded.push(...finish(chunk.slice(from, end)));
        from = end + 1;
      }
      decoded.push(...hold(chunk.slice(from)));
      return decoded;
    },
    end: () => finish(""),
  };
}

function decode(line: string): DecodedLine {
  try {
    return { ok: true, value: JSON.parse(line) };
  } catch (error) {
    return { ok: false, line, message: reasonOf(error) };
  }
}
