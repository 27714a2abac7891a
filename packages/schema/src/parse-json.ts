/**
 * Reads JSON text strictly: refuses an object that has a key twice, which parsers read differently. Finds values that must
 * not be used: nested too deeply, infinite numbers and half surrogate pairs.
 */
import type { JsonValue } from "./json.ts";

export type ParsedJson =
  | { readonly ok: true; readonly value: JsonValue }
  /** `sound` is false if the text is valid JSON but ambiguous, so that it must not be used. */
  | { readonly ok: false; readonly sound: boolean; readonly message: string };

/** Returns the value of a JSON text, or a message if it is not valid JSON or an object in it has a key twice. */
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

/**
 * Returns the first key that occurs twice in one object of a valid JSON text; undefined if no key does. Escapes in keys are
 * decoded first.
 */
function duplicateKey(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let string = "";
  const sign = /["{}[\]:]/g;
  for (let found = sign.exec(text); found !== null; found = sign.exec(text)) {
    if (found[0] === '"') {
      const end = endOfString(text, found.index);
      string = text.slice(found.index, end + 1);
      sign.lastIndex = end + 1;
    } else if (found[0] === ":") {
      const key = JSON.parse(string) as string;
      if (open.at(-1)?.has(key)) return key;
      open.at(-1)?.add(key);
    } else if (found[0] === "{") open.push(new Set());
    else if (found[0] === "[") open.push(undefined);
    else open.pop();
  }
  return undefined;
}

/** Returns the index of the quote that closes the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charAt(end - 1 - slashes) === "\\") slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** Returns the value of a JSON text; undefined if `parseJson` refuses the text or `unsoundPart` objects to the value. */
export function readJson(text: string): JsonValue | undefined {
  const parsed = parseJson(text);
  return parsed.ok && unsoundPart(parsed.value) === undefined ? parsed.value : undefined;
}

/** The maximum depth of arguments; no tool has parameters as deep as this. */
const mostLevels = 100;

export const tooDeepMessage = `the arguments are nested more than ${mostLevels} levels deep`;

/**
 * Returns the reason why an object or a list must not be used: it is nested too deeply, or a part of it cannot be stored.
 * Returns undefined if it may be used, and for a text or a number, which is not checked.
 */
export function unsoundPart(value: JsonValue): string | undefined {
  let layer: [path: string, value: JsonValue][] = [["", value]];
  for (let level = 0; layer.length > 0; level += 1) {
    if (level >= mostLevels) return tooDeepMessage;
    const next: typeof layer = [];
    for (const [path, one] of layer) {
      if (typeof one !== "object" || one === null) continue;
      for (const [key, part] of Object.entries(one)) {
        const name = path === "" ? key : `${path}.${key}`;
        const problem = unsoundValue(key) ?? unsoundValue(part);
        if (problem !== undefined) {
          return `the argument ${JSON.stringify(name.slice(0, 80))} holds ${problem}`;
        }
        if (typeof part === "object" && part !== null) next.push([name, part]);
      }
    }
    layer = next;
  }
  return undefined;
}

/**
 * Returns the reason why a number or text cannot be stored: an infinite number, or half a surrogate pair. Returns undefined for
 * any other value.
 */
function unsoundValue(value: JsonValue): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return `the number ${value}, which has no end`;
  if (typeof value !== "string" || value.isWellFormed()) return undefined;
  const half =
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.exec(value)?.[0] ?? "";
  return `half of a character, the lone surrogate \\u${half.charCodeAt(0).toString(16)}: write the whole character`;
}
