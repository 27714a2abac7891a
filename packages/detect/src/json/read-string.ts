/**
 * Reads a quoted string of JSON as models write it: with raw control characters, wrong escapes, single quotes, and
 * quotes that were not escaped. A quote ends the string when what follows could follow a value there; valid JSON is
 * therefore never read differently.
 */
import { type Input, isSpace, isWordChar, peek, type Reader } from "../scan/input.ts";
import { type JsonReading, noteRepair } from "./result.ts";

/** Where the string stands, which decides what may follow it. */
export type StringPlace = "key" | "in-object" | "in-list" | "alone";

const backslash = 92;
/** How far a closing quote looks ahead; beyond it the quote is taken as closing. */
const lookAhead = 200;

/** Reads from the opening quote to the closing one. Sets `outcome` to `cut` when the text ends inside. */
export function* readString(
  input: Input,
  reading: JsonReading,
  place: StringPlace,
  depth: number,
): Reader<string> {
  const quote = input.text.charCodeAt(input.pos);
  if (quote === 39) noteRepair(reading.repairs, "single-quotes");
  input.pos++;
  let value = "";
  for (;;) {
    const start = input.pos;
    const end = plainEnd(input, quote, reading);
    if (end > start) value += input.text.slice(start, end);
    input.pos = end;
    const code = yield* peek(input);
    if (code === -1) {
      reading.outcome = "cut";
      return value;
    }
    if (code === quote) {
      if (place === "key" || (yield* closes(input, place, depth))) {
        input.pos++;
        return value;
      }
      noteRepair(reading.repairs, "unescaped-quote");
      value += String.fromCharCode(code);
      input.pos++;
    } else if (code === backslash) {
      value += yield* readEscape(input, reading);
    }
  }
}

function plainEnd(input: Input, quote: number, reading: JsonReading): number {
  const { text } = input;
  let at = input.pos;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote || code === backslash) break;
    if (code < 32) noteRepair(reading.repairs, "control-character");
  }
  return at;
}

const simpleEscapes: { readonly [letter: string]: string } = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

function* readEscape(input: Input, reading: JsonReading): Reader<string> {
  const code = yield* peek(input, 1);
  if (code === -1) {
    reading.outcome = "cut";
    input.pos++;
    return "";
  }
  const letter = String.fromCharCode(code);
  const simple = simpleEscapes[letter];
  if (simple !== undefined) {
    input.pos += 2;
    return simple;
  }
  if (letter === "u") {
    yield* peek(input, 5);
    const digits = input.text.slice(input.pos + 2, input.pos + 6);
    if (/^[0-9a-fA-F]{4}$/.test(digits)) {
      input.pos += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
  }
  noteRepair(reading.repairs, "invalid-escape");
  input.pos += 2;
  // A lone backslash before a letter or a pattern sign is most likely meant (`\d`, `\.`); before a quote it is not.
  return /[\w.*+?()[\]{}^|-]/.test(letter) ? `\\${letter}` : letter;
}

/** Whether the quote at the current position can end the string, judged by what follows it. */
function* closes(input: Input, place: StringPlace, depth: number): Reader<boolean> {
  if (place === "alone") return true;
  let ahead = yield* spaceEnd(input, 1);
  let code = yield* peek(input, ahead);
  if (code === -1 || ahead > lookAhead) return true;
  if (code === 44) {
    ahead = yield* spaceEnd(input, ahead + 1);
    return ahead > lookAhead || (yield* canFollowComma(input, place, ahead));
  }
  if (code === 47) return yield* isComment(input, ahead);
  if (code === 34 && place === "in-object") return yield* isKey(input, ahead);
  let closers = 0;
  while ((code === 125 || code === 93) && closers < depth) {
    closers++;
    ahead = yield* spaceEnd(input, ahead + 1);
    code = yield* peek(input, ahead);
    if (ahead > lookAhead) return true;
  }
  if (closers === 0) return code === 60;
  return closers >= depth || code === 44 || code === 60 || code === -1 || code === 47 || code === 96;
}

function* canFollowComma(input: Input, place: StringPlace, ahead: number): Reader<boolean> {
  const code = yield* peek(input, ahead);
  if (code === -1 || code === 125 || code === 93) return true;
  if (code === 47) return yield* isComment(input, ahead);
  if (place === "in-object") return yield* isKey(input, ahead);
  return code === 34 || code === 39 || code === 123 || code === 91 || code === 45 || isWordChar(code);
}

function* isComment(input: Input, ahead: number): Reader<boolean> {
  const next = yield* peek(input, ahead + 1);
  return next === 47 || next === 42;
}

/** Whether `"key":` or `key:` stands `ahead` places on. */
function* isKey(input: Input, ahead: number): Reader<boolean> {
  const first = yield* peek(input, ahead);
  let index = ahead;
  if (first === 34 || first === 39) {
    for (index++; ; index++) {
      const code = yield* peek(input, index);
      if (code === -1 || index - ahead > lookAhead) return true;
      if (code === first) break;
      if (code === backslash) index++;
    }
    index++;
  } else {
    if (!isWordChar(first)) return false;
    for (;;) {
      const code = yield* peek(input, index);
      if (code === -1 || index - ahead > lookAhead) return true;
      if (!isWordChar(code) && code !== 45) break;
      index++;
    }
  }
  index = yield* spaceEnd(input, index);
  const code = yield* peek(input, index);
  return code === 58 || code === -1;
}

/** The first place at or after `ahead` that is not white space, or one beyond the look-ahead limit. */
function* spaceEnd(input: Input, ahead: number): Reader<number> {
  let index = ahead;
  while (index - ahead <= lookAhead && isSpace(yield* peek(input, index))) index++;
  return index;
}
