/** Reads quoted texts of Python as models write them: with quotes that were not escaped, and with backslashes that are no escapes. */
import { escapeNotes, noteControl, noteUnknown, rawText } from "../json/raw-text.ts";
import { type JsonReading, noteRepair } from "../json/result.ts";
import type { ShownText } from "../markup/shown-arguments.ts";
import { backslash, doubleQuote, lineFeed, singleQuote, space } from "../scan/characters.ts";
import { ask, at, endOf, type Input, peek, type Reader } from "../scan/input.ts";
import { closingQuote } from "../scan/quotes.ts";
import { Rope } from "../scan/rope.ts";
import { endsText, type PythonPlace } from "./text-end.ts";

/** Reads a text at its opening quote. Joins adjacent texts, as Python does. `shown` gets the pieces while they arrive. */
export function* readStrings(
  input: Input,
  reading: JsonReading,
  place: PythonPlace,
  shown?: ShownText,
): Reader<string> {
  let value = yield* readPythonString(input, reading, place, false, shown);
  for (;;) {
    if (reading.outcome !== "whole") return value;
    const ahead = yield* endOf(input, 0, 40, (code) => code === space);
    const next = yield* peek(input, ahead);
    if (next !== doubleQuote && next !== singleQuote) return value;
    input.pos += ahead;
    value += yield* readPythonString(input, reading, place, false, shown);
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

/** Reads one text, from its opening quote on. With `raw`, as in `r""`, it has no escapes. */
export function* readPythonString(
  input: Input,
  reading: JsonReading,
  place: PythonPlace,
  raw: boolean,
  shown?: ShownText,
): Reader<string> {
  const first = yield* peek(input);
  const quote = closingQuote(first);
  if (quote !== first) noteRepair(reading.repairs, "single-quotes");
  const mark = String.fromCharCode(first).repeat(3);
  const long = yield* at(input, mark);
  const length = long ? 3 : 1;
  input.pos += length;
  const value = new Rope();
  const notes = escapeNotes();
  let stopsAtLine = false;
  const add = (piece: string) => {
    value.add(piece);
    if (piece !== "") shown?.piece(piece);
  };
  for (;;) {
    if (readPlain(input, quote, add, stopsAtLine)) {
      if (input.ended) {
        reading.outcome = "cut";
        return value.from(0);
      }
      input.absorb = () => readPlain(input, quote, add, stopsAtLine);
      yield;
    } else if (stopsAtLine && input.text.charCodeAt(input.pos) === lineFeed) {
      reading.outcome = "broken";
      return value.from(0);
    } else if (input.text.charCodeAt(input.pos) === backslash) {
      const character = yield* readEscape(input, raw);
      if (character.length === 1 && character < " ") noteControl(notes, value.length);
      else if (character.startsWith("\\") && character !== "\\") noteUnknown(notes, character.charAt(1));
      add(character);
    } else if ((!long || (yield* at(input, mark))) && (yield* closes(input, place, length))) {
      input.pos += length;
      break;
    } else {
      if (place.mendsQuotes && !long) noteRepair(reading.repairs, "unescaped-quote");
      // Without markup, a text that goes on over a line feed is more likely not a call.
      stopsAtLine ||= !place.isMarked && !long;
      input.pos += 1;
      add(String.fromCharCode(quote));
    }
  }
  const text = value.from(0);
  const meant = raw ? undefined : rawText(text, notes);
  if (meant === undefined) return text;
  noteRepair(reading.repairs, "invalid-escape");
  shown?.revoke();
  return meant;
}

function closes(input: Input, place: PythonPlace, length: number): Reader<boolean> {
  return ask(input, () => endsText(input, place, length));
}

/**
 * Moves over plain characters. Returns true if the window ends after them, and false before a quote, an escape or, if the text
 * stops there, a line feed.
 */
function readPlain(input: Input, quote: number, add: (piece: string) => void, stopsAtLine: boolean): boolean {
  const { text, pos } = input;
  let end = pos;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === quote || code === backslash || (stopsAtLine && code === lineFeed)) break;
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
