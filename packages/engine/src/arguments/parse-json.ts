/** JSON text as one value, with nothing in it that two readers could read in two ways, or that no file could hold. */
import type { JsonValue } from "@localharness/protocol";

export type ParsedJson =
  | { readonly ok: true; readonly value: JsonValue }
  /** `sound` is false when the text is JSON, but must not be used. */
  | { readonly ok: false; readonly sound: boolean; readonly message: string };

/** Refuses text that is no JSON, duplicate keys on any level, numbers without an end, and halves of characters. */
export function parseJson(text: string): ParsedJson {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, sound: true, message: `not valid JSON (${reason.slice(0, 200)})` };
  }
  const twice = duplicateKey(text);
  if (twice === undefined) return { ok: true, value };
  const message = `ambiguous: the key ${JSON.stringify(twice.slice(0, 80))} is there twice; give it once`;
  return { ok: false, sound: false, message };
}

const codes = { quote: 34, comma: 44, listOpen: 91, listClose: 93, open: 123, close: 125 } as const;

/** The first key that an object of this valid JSON text has twice. Escapes are read: `"\u0061"` is `"a"`. */
function duplicateKey(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let keyIsNext = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === codes.open || code === codes.listOpen) {
      open.push(code === codes.open ? new Set() : undefined);
      keyIsNext = code === codes.open;
    } else if (code === codes.close || code === codes.listClose) {
      open.pop();
      keyIsNext = false;
    } else if (code === codes.comma) keyIsNext = open.at(-1) !== undefined;
    else if (code === codes.quote) {
      const end = endOfString(text, at);
      if (keyIsNext) {
        const key = JSON.parse(text.slice(at, end + 1)) as string;
        const keys = open.at(-1);
        if (keys?.has(key)) return key;
        keys?.add(key);
        keyIsNext = false;
      }
      at = end;
    }
  }
  return undefined;
}

/** The index of the quote that closes the string which opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charAt(end - 1 - slashes) === "\\") slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** What is wrong with a single value that JSON can hold but no file, schema or log: undefined when nothing. */
export function unsoundValue(value: JsonValue): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return `the number ${value}, which has no end`;
  if (typeof value !== "string" || value.isWellFormed()) return undefined;
  const half =
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.exec(value)?.[0] ?? "";
  return `half of a character, the lone surrogate \\u${half.charCodeAt(0).toString(16)}: write the whole character`;
}
