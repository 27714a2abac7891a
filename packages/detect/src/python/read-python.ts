/** Reads literals of Python as models write them in calls. The words of JSON are read as well. */
import { exactNumber } from "@localharness/schema";
import { type JsonReading, maxDepth, noteRepair, setLast } from "../json/result.ts";
import type { ShownText } from "../markup/shown-arguments.ts";
import {
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
import { type Input, isNameChar, peek, type Reader, skipSpace, take, takeWord } from "../scan/input.ts";
import { opensText } from "../scan/quotes.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import { readPythonString, readStrings } from "./read-python-string.ts";
import type { PythonPlace } from "./text-end.ts";

/**
 * Reads the literal at the current position and sets `reading.outcome`. The pieces of a text without a prefix (`r""`) are
 * shown while they arrive.
 */
export function* readPython(
  input: Input,
  reading: JsonReading,
  place: PythonPlace,
  depth = 0,
  shown?: ShownText,
): Reader<JsonValue> {
  const code = yield* skipSpace(input);
  if (depth > maxDepth / 4) return broken(reading);
  if (opensText(code, place.isMarked)) return yield* readStrings(input, reading, place, shown);
  switch (code) {
    case -1:
      reading.outcome = "cut";
      return null;
    case 91:
    case 40:
      return yield* readSequence(input, reading, place, depth, code === openBracket ? 93 : 41);
    case 123:
      return yield* readDict(input, reading, place, depth);
    default:
      return yield* readWordOrNumber(input, reading, place);
  }
}

function broken(reading: JsonReading): null {
  reading.outcome = "broken";
  return null;
}

function* readSequence(
  input: Input,
  reading: JsonReading,
  place: PythonPlace,
  depth: number,
  closer: number,
): Reader<JsonValue> {
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
    items.push(yield* readPython(input, reading, { ...place, kind: "item" }, depth + 1));
    if (reading.outcome !== "whole") return items;
  }
}

function* readDict(input: Input, reading: JsonReading, place: PythonPlace, depth: number): Reader<JsonValue> {
  const value: JsonObject = {};
  input.pos += 1;
  for (let count = 0; ; count += 1) {
    let code = yield* skipSpace(input);
    if (code === comma && count > 0) {
      input.pos += 1;
      code = yield* skipSpace(input);
    } else if (count > 0 && code !== closeBrace && code !== -1) {
      reading.outcome = "broken";
      return value;
    }
    if (code === closeBrace) {
      input.pos += 1;
      return value;
    }
    const key = yield* readPython(input, reading, { ...place, kind: "key" }, depth + 1);
    if (reading.outcome !== "whole") return value;
    code = yield* skipSpace(input);
    if (count === 0 && (code === comma || code === closeBrace)) {
      return yield* readSet(input, reading, place, depth, key);
    }
    if ((typeof key === "object" && key !== null) || code !== colon) {
      reading.outcome = (yield* peek(input)) === -1 ? "cut" : "broken";
      return value;
    }
    input.pos += 1;
    const member = yield* readPython(input, reading, { ...place, kind: "member" }, depth + 1);
    setLast(value, String(key), member, reading.repairs);
    if (reading.outcome !== "whole") return value;
  }
}

/** Reads the rest of a set, after its first item, as a list. */
function* readSet(
  input: Input,
  reading: JsonReading,
  place: PythonPlace,
  depth: number,
  first: JsonValue,
): Reader<JsonValue[]> {
  const items = [first];
  for (;;) {
    let code = yield* skipSpace(input);
    if (code === comma) {
      input.pos += 1;
      code = yield* skipSpace(input);
    } else if (code !== closeBrace) {
      reading.outcome = code === -1 ? "cut" : "broken";
      return items;
    }
    if (code === closeBrace) {
      input.pos += 1;
      return items;
    }
    items.push(yield* readPython(input, reading, { ...place, kind: "item" }, depth + 1));
    if (reading.outcome !== "whole") return items;
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

/** Signs that a word without quotes may contain: those of paths, addresses and patterns, but none of Python's expressions. */
const isWordSign = (code: number) => code > 127 || "+/\\.@~%#$?!&^|-".includes(String.fromCharCode(code));

function* readWordOrNumber(input: Input, reading: JsonReading, place: PythonPlace): Reader<JsonValue> {
  const word = yield* takeWord(input, (code) => isNameChar(code) || code === plus, 400);
  const next = yield* peek(input);
  if (next === -1) {
    reading.outcome = "cut";
    return null;
  }
  if ((next === doubleQuote || next === singleQuote) && /^[rbufRBUF]$/.test(word)) {
    return yield* readPythonString(input, reading, place, word.toLowerCase() === "r");
  }
  if (Object.hasOwn(words, word)) return words[word] ?? null;
  const isNumber = /^[-+]?(?:(\d[\d_]*(\.\d*)?|\.\d+)([eE][-+]?\d+)?|0x[0-9a-fA-F]+)$/.test(word);
  if (isNumber) return exactNumber(word.replaceAll("_", "")) ?? word;
  return place.isMarked ? yield* readBareWord(input, reading, place, word) : broken(reading);
}

/** Reads the rest of one or more words without quotes. They are a text if their container goes on or ends after them. */
function* readBareWord(
  input: Input,
  reading: JsonReading,
  { kind }: PythonPlace,
  start: string,
): Reader<JsonValue> {
  const isPart = (code: number) =>
    isNameChar(code) || isWordSign(code) || (kind !== "key" && (code === space || code === colon));
  const word = start + (yield* takeWord(input, isPart, 400));
  // Only the opening quote is missing.
  if (word !== "" && !(yield* take(input, '"'))) yield* take(input, "'");
  const next = yield* skipSpace(input);
  if (next === -1) {
    reading.outcome = "cut";
    return null;
  }
  const isWhole = kind === "key" ? next === colon : next === comma || isCloser(next);
  if (word === "" || !isWhole) return broken(reading);
  noteRepair(reading.repairs, kind === "key" ? "unquoted-key" : "unquoted-value");
  return word.trimEnd();
}

function isCloser(code: number): boolean {
  return code === closeParen || code === closeBrace || code === 93;
}
