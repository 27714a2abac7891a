/**
 * NDJSON: one JSON value a line, ended by `\n`. `JSON.stringify` escapes every line end inside a value, and only `\n`
 * ends a line here (not U+2028, which line readers of the platform would split at).
 */

/** The line for a value, with its `\n`. */
export function encodeLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

export type DecodedLine =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: string; readonly message: string };

export interface LineDecoder {
  /** The values of all lines that this chunk completes. A line that is no JSON is reported, never thrown. */
  push(chunk: string): DecodedLine[];
  /** What is left without a line end, if anything. */
  end(): DecodedLine[];
}

/** Splits text, which may begin with a byte order mark, into lines and parses each; holds at most `maxLineChars` of a line, a longer one is reported once. */
export function createLineDecoder(maxLineChars = 64 * 1024 * 1024): LineDecoder {
  let pieces: string[] = [];
  let held = 0;
  let skipping = false;
  let first = true;

  /** Takes more of the line that is not yet at its end. */
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

  /** The line is at its end: what it holds is decoded, unless it was reported as too long. */
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
    return { ok: false, line, message: error instanceof Error ? error.message : String(error) };
  }
}
