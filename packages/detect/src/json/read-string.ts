/**
 * Reads a quoted string of JSON as models write it: with raw control characters, wrong escapes, single quotes, and quotes
 * that were not escaped. A quote ends the string if the text after it can follow a value. Therefore all valid JSON is read
 * correctly.
 */
import {
  asterisk,
  backtick,
  closeBrace,
  closeBracket,
  colon,
  comma,
  doubleQuote,
  hyphen,
  lessThan,
  openBrace,
  openBracket,
  slash,
} from "../scan/characters.ts";
import { type Input, isSpace, isWordChar, type Reader } from "../scan/input.ts";
import { closingQuote, isOtherColon, isOtherComma, opensText } from "../scan/quotes.ts";
import { Rope } from "../scan/rope.ts";
import { type EscapeNotes, escapeNotes, noteControl, noteUnknown, rawText } from "./raw-text.ts";
import { type JsonReading, noteRepair } from "./result.ts";

/** The place of a string, which decides what may follow it. */
export type StringPlace = "key" | "in-object" | "in-list" | "alone";

const backslash = 92;
const letterU = 117;
/** The maximum lookahead after a quote, in characters. If it is not enough to decide, the quote ends the string. */
const lookAhead = 200;

export interface OpenString {
  readonly quote: number;
  readonly place: StringPlace;
  readonly depth: number;
  readonly value: Rope;
  readonly escapes: EscapeNotes;
  /** True for a string in three quotes, as in Python; undefined until that is known. */
  triple: boolean | undefined;
  /** True while no unescaped quote was found in it. */
  clean: boolean;
  /** The brackets of JSON in the string whose quotes were not escaped; undefined for any other text. */
  nested: { open: number; counted: number } | undefined;
  whole: string | undefined;
}

/** Reads a string, from its opening quote to its closing quote. Sets `outcome` to `cut` if the text ends inside. */
export function* readString(
  input: Input,
  reading: JsonReading,
  place: StringPlace,
  depth: number,
): Reader<string> {
  const string = openString(input, reading, place, depth);
  for (;;) {
    const value = moreOfString(input, reading, string);
    if (value !== undefined) return value;
    input.absorb = () => moreOfString(input, reading, string) === undefined;
    yield;
  }
}

/** Moves over the opening quote at the current position, and returns the string to read. */
export function openString(
  input: Input,
  reading: JsonReading,
  place: StringPlace,
  depth: number,
): OpenString {
  const quote = closingQuote(input.look(0));
  if (quote !== doubleQuote) noteRepair(reading.repairs, "single-quotes");
  input.pos += 1;
  return openedString(quote, place, depth);
}

/** Returns the string to read after an opening quote that has been read. */
export function openedString(quote: number, place: StringPlace, depth: number): OpenString {
  const triple = quote === doubleQuote && (place === "in-object" || place === "in-list") ? undefined : false;
  const [value, escapes] = [new Rope(), escapeNotes()];
  return { quote, place, depth, value, escapes, triple, clean: true, nested: undefined, whole: undefined };
}

/** Reads on to the end of the window. Returns undefined if more text is needed, else the string, also if it is `cut`. */
export function moreOfString(input: Input, reading: JsonReading, string: OpenString): string | undefined {
  const { quote, place, value } = string;
  string.triple ??= opensTriple(input, reading);
  if (string.triple === undefined) return undefined;
  while (string.whole === undefined) {
    if (readPlain(input, reading, string)) {
      if (!input.ended) return undefined;
      reading.outcome = "cut";
      string.whole = value.from(0);
    } else if (input.look(0) === backslash) {
      value.add(readEscape(input, reading, string.escapes));
    } else {
      input.short = false;
      const isEnd = place === "key" || (string.triple ? closesTriple(input, string) : closes(input, string));
      const lacksEnd = !isEnd && endsBeforeKey(input, string);
      if (input.short) return undefined;
      if (lacksEnd) {
        noteRepair(reading.repairs, "missing-closer");
        string.whole = value.from(0).replace(/\s*,\s*$/, "");
        return string.whole;
      }
      input.pos += isEnd && string.triple ? 3 : 1;
      if (isEnd) {
        const text = value.from(0);
        string.whole = rawText(text, string.escapes) ?? text;
      } else {
        if (string.clean && value.length < 40 && /^\s*[[{][\s[{]*$/.test(value.from(0))) {
          string.nested = { open: 0, counted: 0 };
        }
        string.clean = false;
        noteRepair(reading.repairs, "unescaped-quote");
        value.add(String.fromCharCode(quote));
      }
    }
  }
  return string.whole;
}

/** Moves over two more opening quotes. Returns false if there are none, and undefined if more text is needed. */
function opensTriple(input: Input, reading: JsonReading): boolean | undefined {
  input.short = false;
  const isTriple = input.stands('""', 0);
  if (input.short) return undefined;
  if (!isTriple) return false;
  noteRepair(reading.repairs, "unescaped-quote");
  input.pos += 2;
  return true;
}

/** Returns true if three quotes at the current position can end the string. */
function closesTriple(input: Input, string: OpenString): boolean {
  if (!input.stands('"""', 0)) return false;
  input.pos += 2;
  const isEnd = closes(input, string);
  input.pos -= 2;
  return isEnd;
}

/** Moves over plain characters and valid escapes. Returns true at the end of the window, false before any other. */
function readPlain(input: Input, reading: JsonReading, { quote, value, escapes }: OpenString): boolean {
  const { text, ended } = input;
  let start = input.pos;
  let read = "";
  let at = start;
  let waits = false;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) break;
    if (code === backslash) {
      const length = text.charCodeAt(at + 1) === letterU ? 6 : 2;
      waits = at + length > text.length && !ended;
      const character = waits ? undefined : escaped(text, at);
      if (character === undefined) break;
      if (length === 2 && character < " ") noteControl(escapes, value.length + read.length + at - start);
      read += text.slice(start, at) + character;
      start = at + length;
      at = start - 1;
    } else if (code < 32) {
      noteRepair(reading.repairs, "control-character");
    }
  }
  value.add(read + text.slice(start, at));
  input.pos = at;
  return waits || at === text.length;
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

/** Returns the character of the escape at the index; undefined if the escape is not valid. */
function escaped(text: string, index: number): string | undefined {
  if (text.charCodeAt(index + 1) !== letterU) return simpleEscapes[text.charAt(index + 1)];
  const digits = text.slice(index + 2, index + 6);
  return /^[0-9a-fA-F]{4}$/.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : undefined;
}

/** Reads an escape that is not valid, and returns its text. */
function readEscape(input: Input, reading: JsonReading, escapes: EscapeNotes): string {
  const letter = input.text.charAt(input.pos + 1);
  if (letter === "") {
    input.pos += 1;
    return "";
  }
  noteRepair(reading.repairs, "invalid-escape");
  noteUnknown(escapes, letter);
  input.pos += 2;
  // Before a letter or a sign of a pattern the backslash is most likely part of the text (`\d`, `\.`); before a quote it is not.
  return /[\w.*+?()[\]{}^|-]/.test(letter) ? `\\${letter}` : letter;
}

/** Returns true if the quote of the string is missing: the quote here begins the next key, after a comma. */
function endsBeforeKey(input: Input, { place, clean, quote, value }: OpenString): boolean {
  if (place !== "in-object" || !clean || quote !== doubleQuote) return false;
  return /,\s*$/.test(value.from(Math.max(0, value.length - 20))) && isSimpleKey(input, 0);
}

/** Returns true if a quoted word, and a colon or what models write for it, are at the distance `start`. */
function isSimpleKey(input: Input, start: number): boolean {
  const first = input.look(start);
  if (!opensText(first, true)) return false;
  let ahead = start + 1;
  while (ahead <= start + 60 && (isWordChar(input.look(ahead)) || input.look(ahead) === hyphen)) ahead += 1;
  if (ahead === start + 1 || input.look(ahead) !== closingQuote(first)) return false;
  const next = input.look(spaceEnd(input, ahead + 1));
  return next === colon || isOtherColon(next);
}

/** Returns true if all brackets of the JSON in the string are closed. */
function isClosed({ value }: OpenString, nested: NonNullable<OpenString["nested"]>): boolean {
  for (const sign of value.from(nested.counted)) {
    if (sign === "{" || sign === "[") nested.open += 1;
    else if (sign === "}" || sign === "]") nested.open -= 1;
  }
  nested.counted = value.length;
  return nested.open <= 0;
}

/** Returns true if the quote at the current position can end the string, judged by the text after it. */
function closes(input: Input, string: OpenString): boolean {
  const { place, depth, clean, nested } = string;
  if (place === "alone") return true;
  if (nested && !isClosed(string, nested)) return false;
  let ahead = spaceEnd(input, 1);
  let code = input.look(ahead);
  if (code === -1 || ahead > lookAhead) return true;
  if (isOtherComma(code)) return place === "in-object" && isSimpleKey(input, spaceEnd(input, ahead + 1));
  if (code === comma) {
    ahead = spaceEnd(input, ahead + 1);
    return ahead > lookAhead || canFollowComma(input, place, ahead);
  }
  if (code === slash) return isComment(input, ahead);
  if (code === doubleQuote && place === "in-object") return isKey(input, ahead);
  let closers = 0;
  while ((code === closeBrace || code === closeBracket) && closers < depth) {
    closers += 1;
    ahead = spaceEnd(input, ahead + 1);
    code = input.look(ahead);
    if (ahead > lookAhead) return true;
  }
  if (closers === 0) return code === lessThan;
  // `"a"}{"key":` is two objects in a row, not one string.
  if (code === openBrace && clean && isQuotedKey(input, spaceEnd(input, ahead + 1))) return true;
  return (
    closers >= depth ||
    code === comma ||
    code === lessThan ||
    code === -1 ||
    code === slash ||
    code === backtick
  );
}

function canFollowComma(input: Input, place: StringPlace, ahead: number): boolean {
  const code = input.look(ahead);
  if (code === -1 || code === closeBrace || code === closeBracket) return true;
  if (code === slash) return isComment(input, ahead);
  if (place === "in-object") return isKey(input, ahead);
  return (
    opensText(code, true) || code === openBrace || code === openBracket || code === hyphen || isWordChar(code)
  );
}

function isComment(input: Input, ahead: number): boolean {
  const next = input.look(ahead + 1);
  return next === slash || next === asterisk;
}

function isQuotedKey(input: Input, ahead: number): boolean {
  const code = input.look(ahead);
  return opensText(code, true) && isKey(input, ahead);
}

/** Returns true if `"key":` or `key:` is at distance `ahead`, or if the text or the lookahead ends before that is known. */
function isKey(input: Input, ahead: number): boolean {
  const first = input.look(ahead);
  let index = ahead;
  if (opensText(first, true)) {
    const last = closingQuote(first);
    for (index += 1; ; index += 1) {
      const code = input.look(index);
      if (code === -1 || index - ahead > lookAhead) return true;
      if (code === last) break;
      if (code === backslash) index += 1;
    }
    index += 1;
  } else {
    if (!isWordChar(first)) return false;
    for (;;) {
      const code = input.look(index);
      if (code === -1 || index - ahead > lookAhead) return true;
      if (!isWordChar(code) && code !== hyphen) break;
      index += 1;
    }
  }
  index = spaceEnd(input, index);
  const code = input.look(index);
  return code === colon || code === -1 || (isOtherColon(code) && opensText(first, true));
}

/** Returns the distance of the first character from `ahead` on that is not white space. It stops at the lookahead limit. */
function spaceEnd(input: Input, ahead: number): number {
  let index = ahead;
  while (index - ahead <= lookAhead && isSpace(input.look(index))) index += 1;
  return index;
}
