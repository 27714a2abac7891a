/**
 * Reads JSON values and keys without quotation marks: numbers, `true`, `false`, `null`, and words that lack their
 * quotation marks.
 */
import { exactNumber } from "@localharness/schema";
import { asterisk, closeBrace, closeBracket, comma, slash } from "../scan/characters.ts";
import { type Input, isWordChar, peek, type Reader, skipSpace, take } from "../scan/input.ts";
import type { JsonValue } from "../types.ts";
import { type JsonReading, noteRepair } from "./result.ts";

const maxWord = 400;

const words: { readonly [word: string]: { readonly value: JsonValue; readonly python?: true } } = {
  true: { value: true },
  false: { value: false },
  null: { value: null },
  True: { value: true, python: true },
  False: { value: false, python: true },
  None: { value: null, python: true },
  undefined: { value: null, python: true },
};

/** Reads a number (as text if it is not exact) or a word of JSON or Python; if lenient, any word as text. Else sets `outcome`. */
export function* readBare(input: Input, reading: JsonReading): Reader<JsonValue> {
  const word = yield* readValueWord(input);
  if ((yield* peek(input)) === -1) {
    // At the end of the text, `1` may be the beginning of `12`.
    reading.outcome = "cut";
    return null;
  }
  const known = Object.hasOwn(words, word) ? words[word] : undefined;
  if (known) {
    if (known.python) noteRepair(reading.repairs, "python-literal");
    return known.value;
  }
  if (/^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/.test(word)) return exactNumber(word) ?? word;
  // Only the opening quote is missing.
  if (reading.lenient && word !== "") yield* take(input, '"');
  const code = yield* skipSpace(input);
  if (reading.lenient && word !== "" && (code === comma || code === closeBrace || code === closeBracket)) {
    noteRepair(reading.repairs, "unquoted-value");
    return word;
  }
  reading.outcome = "broken";
  return null;
}

export function* readBareKey(input: Input, reading: JsonReading): Reader<string> {
  noteRepair(reading.repairs, "unquoted-key");
  const word = yield* readWord(input, "-$");
  // Only the opening quote is missing.
  yield* take(input, '"');
  return word;
}

/** Reads a word that may contain slashes, but stops before a comment. */
function* readValueWord(input: Input): Reader<string> {
  let word = yield* readWord(input, "+-.$");
  while ((yield* peek(input)) === slash) {
    const next = yield* peek(input, 1);
    const isNumber = /^[-+.\d]*$/.test(word);
    if (isNumber || next === asterisk) return word;
    word += "/";
    input.pos += 1;
    word += yield* readWord(input, "+-.$");
    if (word.length > maxWord) return word;
  }
  return word;
}

function* readWord(input: Input, signs: string): Reader<string> {
  let word = "";
  for (;;) {
    const { text, pos } = input;
    let at = pos;
    while (at < text.length && word.length + at - pos <= maxWord) {
      if (!isWordChar(text.charCodeAt(at)) && !signs.includes(text.charAt(at))) break;
      at += 1;
    }
    word += text.slice(pos, at);
    input.pos = at;
    if (at < text.length || word.length > maxWord || input.ended) return word;
    yield;
  }
}
