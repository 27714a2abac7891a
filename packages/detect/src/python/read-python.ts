/** Reads literals of Python as models write them in calls. The words of JSON are read as well. */
import { exactNumber } from "@localharness/schema";
import { type JsonReading, maxDepth, setLast } from "../json/result.ts";
import {
  backslash,
  closeBrace,
  closeParen,
  colon,
  comma,
  doubleQuote,
  openBracket,
  plus,
  singleQuote,
  space,
} from "../scan/characters.ts";
import { at, endOf, type Input, isNameChar, peek, type Reader, skipSpace, takeWord } from "../scan/input.ts";
import { Rope } from "../scan/rope.ts";
import type { JsonObject, JsonValue } from "../types.ts";

/**
 * Reads the literal at the current position and sets `reading.outcome`. The pieces of a string without a prefix (`r""`) are
 * passed to `onPiece` while they arrive.
 */
export function* readPython(
  input: Input,
  reading: JsonReading,
  depth = 0,
  onPiece?: (text: string) => void,
): Reader<JsonValue> {
  const code = yield* skipSpace(input);
  if (depth > maxDepth / 4) return broken(reading);
  switch (code) {
    case -1:
      reading.outcome = "cut";
      return null;
    case 34:
    case 39:
      return yield* readStrings(input, reading, onPiece);
    case 91:
    case 40:
      return yield* readSequence(input, reading, depth, code === openBracket ? 93 : 41);
    case 123:
      return yield* readDict(input, reading, depth);
    default:
      return yield* readWordOrNumber(input, reading);
  }
}

function broken(reading: JsonReading): null {
  reading.outcome = "broken";
  return null;
}

/** Reads a string. Joins adjacent strings, as Python does. */
function* readStrings(input: Input, reading: JsonReading, onPiece?: (text: string) => void): Reader<string> {
  let value = yield* readString(input, reading, false, onPiece);
  for (;;) {
    if (reading.outcome !== "whole") return value;
    const ahead = yield* endOf(input, 0, 40, (code) => code === space);
    const next = yield* peek(input, ahead);
    if (next !== doubleQuote && next !== singleQuote) return value;
    input.pos += ahead;
    value += yield* readString(input, reading, false, onPiece);
  }
}

const escapes: { readonly [letter: string]: string } = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  "0": "\0",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
};

function* readString(
  input: Input,
  reading: JsonReading,
  raw: boolean,
  onPiece?: (text: string) => void,
): Reader<string> {
  const quote = yield* peek(input);
  const mark = String.fromCharCode(quote).repeat(3);
  const long = yield* at(input, mark);
  input.pos += long ? 3 : 1;
  const value = new Rope();
  const add = (piece: string) => {
    value.add(piece);
    if (piece !== "") onPiece?.(piece);
  };
  for (;;) {
    if (readPlain(input, quote, add)) {
      if (input.ended) {
        reading.outcome = "cut";
        return value.from(0);
      }
      input.absorb = () => readPlain(input, quote, add);
      yield;
    } else if (input.text.charCodeAt(input.pos) === backslash) {
      add(yield* readEscape(input, raw));
    } else if (!long || (yield* at(input, mark))) {
      input.pos += long ? 3 : 1;
      return value.from(0);
    } else {
      input.pos += 1;
      add(String.fromCharCode(quote));
    }
  }
}

/** Moves over plain characters. Returns true if the window ends after them, and false before a quote or an escape. */
function readPlain(input: Input, quote: number, add: (piece: string) => void): boolean {
  const { text, pos } = input;
  let end = pos;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === quote || code === backslash) break;
  }
  input.pos = end;
  add(text.slice(pos, end));
  return end === text.length;
}

function* readEscape(input: Input, raw: boolean): Reader<string> {
  const code = yield* peek(input, 1);
  if (code === -1) {
    input.pos += 1;
    return "";
  }
  const letter = String.fromCharCode(code);
  if (!raw && (letter === "u" || letter === "x")) {
    const length = letter === "u" ? 4 : 2;
    yield* peek(input, 1 + length);
    const digits = input.text.slice(input.pos + 2, input.pos + 2 + length);
    if (digits.length === length && /^[0-9a-fA-F]+$/.test(digits)) {
      input.pos += 2 + length;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
  }
  input.pos += 2;
  const known = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
  return raw || known === undefined ? `\\${letter}` : known;
}

function* readSequence(input: Input, reading: JsonReading, depth: number, closer: number): Reader<JsonValue> {
  const items: JsonValue[] = [];
  input.pos += 1;
  let commas = 0;
  for (;;) {
    let code = yield* skipSpace(input);
    if (code === comma) {
      commas += 1;
      input.pos += 1;
      code = yield* skipSpace(input);
    }
    if (code === closer) {
      input.pos += 1;
      // A single value in parentheses is that value.
      return closer === closeParen && items.length === 1 && commas === 0 ? (items[0] ?? null) : items;
    }
    if (items.length > commas) return broken(reading);
    items.push(yield* readPython(input, reading, depth + 1));
    if (reading.outcome !== "whole") return items;
  }
}

function* readDict(input: Input, reading: JsonReading, depth: number): Reader<JsonValue> {
  const value: JsonObject = {};
  input.pos += 1;
  for (let count = 0; ; count += 1) {
    let code = yield* skipSpace(input);
    if (code === comma && count > 0) {
      input.pos += 1;
      code = yield* skipSpace(input);
    } else if (count > 0 && code !== closeBrace && code !== -1) {
      return broken(reading);
    }
    if (code === closeBrace) {
      input.pos += 1;
      return value;
    }
    const key = yield* readPython(input, reading, depth + 1);
    if (reading.outcome !== "whole") return value;
    if ((typeof key === "object" && key !== null) || (yield* skipSpace(input)) !== colon) {
      if ((yield* peek(input)) === -1) reading.outcome = "cut";
      else broken(reading);
      return value;
    }
    input.pos += 1;
    setLast(value, String(key), yield* readPython(input, reading, depth + 1), reading.repairs);
    if (reading.outcome !== "whole") return value;
  }
}

const words: { readonly [word: string]: JsonValue } = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
};

function* readWordOrNumber(input: Input, reading: JsonReading): Reader<JsonValue> {
  const word = yield* takeWord(input, (code) => isNameChar(code) || code === plus, 400);
  const next = yield* peek(input);
  if (next === -1) {
    reading.outcome = "cut";
    return null;
  }
  if ((next === doubleQuote || next === singleQuote) && /^[rbuRBU]$/.test(word)) {
    return yield* readString(input, reading, word.toLowerCase() === "r");
  }
  if (Object.hasOwn(words, word)) return words[word] ?? null;
  const isNumber = /^[-+]?(?:(\d[\d_]*(\.\d*)?|\.\d+)([eE][-+]?\d+)?|0x[0-9a-fA-F]+)$/.test(word);
  return isNumber ? (exactNumber(word.replaceAll("_", "")) ?? word) : broken(reading);
}
