/**
 * Reads one JSON value as models write it, in one pass and without recursion. Repairs mistakes that have only one reading:
 * trailing and missing commas, single quotes, Python literals, comments, unquoted keys, missing closers before an end tag.
 */
import { colon, dollar, doubleQuote, openBrace, openBracket } from "../scan/characters.ts";
import {
  type Input,
  isWordChar,
  more,
  type Reader,
  readWhole,
  skipSpaceHere,
  wholeInput,
} from "../scan/input.ts";
import { isOtherColon, opensText } from "../scan/quotes.ts";
import type { JsonObject, JsonValue, Repair } from "../types.ts";
import { readBare, readBareKey } from "./read-bare.ts";
import { type Separation, separationAt, takeOtherColon } from "./read-separator.ts";
import { moreOfString, type OpenString, openedString, openString } from "./read-string.ts";
import { type JsonReading, jsonReading, maxDepth, noteRepair, setOwn } from "./result.ts";
import { skipBlank } from "./skip-blank.ts";

type Container =
  | { readonly kind: "object"; readonly value: JsonObject; key: string }
  | { readonly kind: "list"; readonly value: JsonValue[] };

/** A value while it is read. `goOn` reads most of it piece by piece; the coroutine `readJson` reads the other parts. */
interface OpenValue {
  readonly input: Input;
  readonly reading: JsonReading;
  readonly stack: Container[];
  next: "value" | "separator" | "key" | "colon" | "string" | "bare" | "bare-key" | "other-colon" | "nothing";
  readonly separation: Separation;
  string: OpenString | undefined;
  /** The code of the next character, if the white space and comments before it have been read. */
  code: number | undefined;
  result: JsonValue;
}

/**
 * Reads the value whose first character is at the current position. Sets `reading.outcome`; with `broken` the position is where
 * reading stopped.
 */
export function* readJson(input: Input, reading: JsonReading): Reader<JsonValue> {
  const value: OpenValue = {
    input,
    reading,
    stack: [],
    next: "value",
    separation: { comma: true, trailing: false },
    string: undefined,
    code: undefined,
    result: null,
  };
  for (;;) {
    const waits = goOn(value);
    if (value.next === "nothing") return value.result;
    if (waits) {
      input.absorb = () => goOn(value);
      yield;
    } else if (value.next === "bare") {
      take(value, yield* readBare(input, reading));
    } else if (value.next === "bare-key") {
      takeKey(value, yield* readBareKey(input, reading));
    } else if (value.next === "other-colon") {
      yield* takeOtherColon(input, reading);
      value.next = "value";
    } else {
      value.code = yield* skipBlank(input, reading);
    }
  }
}

/** Reads to the end of the window. Returns true if it needs more text; false if the value has ended or the coroutine must go on. */
function goOn(value: OpenValue): boolean {
  const { input, reading } = value;
  for (;;) {
    if (value.next === "string") {
      if (!readOpenString(value)) return true;
      continue;
    }
    if (waitsForCoroutine.has(value.next)) return false;
    const code = value.code ?? skipSpaceHere(input);
    if (code === more) return true;
    if (code === slash && reading.lenient && value.code === undefined) return false;
    value.code = undefined;
    step(value, code);
  }
}

const slash = 47;
/** The parts that only the coroutine reads, and the end. */
const waitsForCoroutine: ReadonlySet<OpenValue["next"]> = new Set<OpenValue["next"]>([
  "nothing",
  "bare",
  "bare-key",
  "other-colon",
]);

function step(value: OpenValue, code: number): void {
  if (value.next === "value") beginValue(value, code);
  else if (value.next === "separator") separate(value, code);
  else if (value.next === "key") beginKey(value, code);
  else if (code === colon) {
    value.input.pos += 1;
    value.next = "value";
  } else if (value.reading.lenient && isOtherColon(code)) {
    value.next = "other-colon";
  } else if (!(value.reading.lenient && beginsInKey(value))) {
    fail(value, code === -1 ? "cut" : "broken");
  }
}

/**
 * Reads on inside a text if the quote between it and its key is missing: in `"path: "a.txt"` the second quote opens the text.
 * Returns false if the key has another form.
 */
function beginsInKey(value: OpenValue): boolean {
  const { reading, stack } = value;
  const top = stack.at(-1);
  const key = top?.kind === "object" ? /^([\w.$-]+)\s*:\s*$/.exec(top.key)?.[1] : undefined;
  if (top?.kind !== "object" || key === undefined) return false;
  top.key = key;
  noteRepair(reading.repairs, "unquoted-key");
  value.string = openedString(doubleQuote, "in-object", reading.outer + stack.length);
  value.string.triple = false;
  value.next = "string";
  return true;
}

function fail(value: OpenValue, outcome: "cut" | "broken", part: JsonValue = null): void {
  value.reading.outcome = outcome;
  value.result = value.stack[0]?.value ?? part;
  value.next = "nothing";
}

function beginValue(value: OpenValue, code: number): void {
  const { input, reading, stack } = value;
  const top = stack.at(-1);
  if (opensText(code, reading.lenient)) {
    const place = top
      ? top.kind === "object"
        ? "in-object"
        : "in-list"
      : reading.outer > 0
        ? "in-object"
        : "alone";
    value.string = openString(input, reading, place, reading.outer + stack.length);
    value.next = "string";
  } else if (code === openBrace || code === openBracket) {
    input.pos += 1;
    if (stack.length >= maxDepth) fail(value, "broken");
    else {
      stack.push(code === openBrace ? { kind: "object", value: {}, key: "" } : { kind: "list", value: [] });
      beginSeparator(value, true);
    }
  } else if (code === -1) {
    fail(value, "cut");
  } else {
    value.next = "bare";
  }
}

function beginSeparator(value: OpenValue, fresh: boolean): void {
  value.separation.comma = fresh;
  value.separation.trailing = false;
  value.next = "separator";
}

function separate(value: OpenValue, code: number): void {
  const { input, reading, stack, separation } = value;
  const top = stack.at(-1);
  if (top === undefined) return;
  const found = separationAt(input, reading, top.kind, separation, code);
  if (found === "stop") fail(value, reading.outcome === "cut" ? "cut" : "broken");
  else if (found === "value") value.next = top.kind === "object" ? "key" : "value";
  else if (found === "closed") {
    stack.pop();
    take(value, top.value);
  }
}

/** Stores a value that has been read as the result, or in the innermost container. */
function take(value: OpenValue, read: JsonValue): void {
  const { reading, stack } = value;
  const top = stack.at(-1);
  if (reading.outcome !== "whole") fail(value, reading.outcome, read);
  else if (top === undefined) {
    value.result = read;
    value.next = "nothing";
  } else {
    if (top.kind === "list") top.value.push(read);
    else setOwn(top.value, top.key, read);
    beginSeparator(value, false);
  }
}

function beginKey(value: OpenValue, code: number): void {
  const { input, reading, stack } = value;
  if (opensText(code, reading.lenient)) {
    value.string = openString(input, reading, "key", reading.outer + stack.length);
    value.next = "string";
  } else if (reading.lenient && (isWordChar(code) || code === dollar)) {
    value.next = "bare-key";
  } else {
    fail(value, "broken");
  }
}

function takeKey(value: OpenValue, key: string): void {
  const { reading, stack } = value;
  const top = stack.at(-1);
  if (top?.kind === "object") {
    if (Object.hasOwn(top.value, key)) noteRepair(reading.repairs, "dropped-key");
    top.key = key;
  }
  if (reading.outcome === "whole") value.next = "colon";
  else fail(value, reading.outcome);
}

/** Reads more of the open string. Returns false if more text is needed. */
function readOpenString(value: OpenValue): boolean {
  const { input, reading, string } = value;
  const text = string && moreOfString(input, reading, string);
  if (string === undefined || text === undefined) return false;
  value.string = undefined;
  if (string.place === "key") takeKey(value, text);
  else take(value, text);
  return true;
}

/** Reads a whole text as one JSON value with nothing after it. Returns undefined for any other text. */
export function parseJson(text: string, reading: JsonReading = jsonReading(true, [])): JsonValue | undefined {
  const input = wholeInput(`${text}\n`);
  skipSpaceHere(input);
  const value = readWhole(readJson(input, reading));
  const rest = skipSpaceHere(input);
  return reading.outcome === "whole" && rest === -1 ? value : undefined;
}

const omissions: readonly Repair[] = ["dropped-key", "comment"];

/** Reads a text inside a call as JSON; returns undefined for any other text. Adds only those repairs that drop something. */
export function parseInner(text: string, repairs: Repair[], lenient = true): JsonValue | undefined {
  const found: Repair[] = [];
  const value = parseJson(text, jsonReading(lenient, found));
  if (value !== undefined) {
    for (const repair of omissions) if (found.includes(repair)) noteRepair(repairs, repair);
  }
  return value;
}
