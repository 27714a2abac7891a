/**
 * Reads one JSON value as models write it, in one pass and without recursion. Repairs what has one reading only:
 * trailing and missing commas, single quotes, Python literals, comments, unquoted keys, closers that are missing before an end tag.
 */
import {
  type Input,
  isWordChar,
  more,
  peek,
  type Reader,
  readWhole,
  skipSpace,
  skipSpaceHere,
  wholeInput,
} from "../scan/input.ts";
import type { JsonValue, Repair } from "../types.ts";
import { readString } from "./read-string.ts";
import { type JsonReading, jsonReading, maxDepth, noteRepair, setOwn } from "./result.ts";

const slash = 47;

type Container =
  | { readonly kind: "object"; readonly value: { [key: string]: JsonValue }; key: string }
  | { readonly kind: "list"; readonly value: JsonValue[] };

/**
 * Reads the value that begins at the current position, which must be its first character. `reading.outcome` says
 * whether the value is whole; on `broken` the position is where reading stopped.
 */
export function* readJson(input: Input, reading: JsonReading): Reader<JsonValue> {
  const stack: Container[] = [];
  for (;;) {
    const value: JsonValue = yield* readScalarOrOpen(input, reading, stack);
    if (reading.outcome !== "whole") return rootOf(stack, value);
    const top = stack.at(-1);
    const opened = top !== undefined && top.value === value;
    if (!opened) {
      if (top === undefined) return value;
      add(top, value);
    }
    const root = yield* readUntilValue(input, reading, stack, opened);
    if (root !== undefined) return root;
    if (reading.outcome !== "whole") return rootOf(stack, value);
  }
}

function rootOf(stack: readonly Container[], value: JsonValue): JsonValue {
  return stack[0]?.value ?? value;
}

function add(container: Container, value: JsonValue): void {
  if (container.kind === "list") container.value.push(value);
  else setOwn(container.value, container.key, value);
}

/** Moves over separators, closers and keys to where the next value begins; returns the root once it is closed. */
function* readUntilValue(
  input: Input,
  reading: JsonReading,
  stack: Container[],
  justOpened: boolean,
): Reader<JsonValue | undefined> {
  let fresh = justOpened;
  for (;;) {
    const top = stack.at(-1);
    if (top === undefined) return undefined;
    const step = yield* readSeparator(input, reading, top, fresh);
    if (step === "closed") {
      stack.pop();
      const parent = stack.at(-1);
      if (parent === undefined) return top.value;
      add(parent, top.value);
      fresh = false;
      continue;
    }
    if (step === "value" && top.kind === "object") {
      const key = yield* readKey(input, reading, reading.outer + stack.length);
      if (key === undefined) return undefined;
      if (Object.hasOwn(top.value, key)) noteRepair(reading.repairs, "dropped-key");
      top.key = key;
    }
    return undefined;
  }
}

/** Reads a comma or a closer. `closed` when the container ends here, `value` when a key or an item follows. */
export function* readSeparator(
  input: Input,
  reading: JsonReading,
  container: { readonly kind: "object" | "list" },
  fresh: boolean,
): Reader<"closed" | "value" | "stop"> {
  const closer = container.kind === "object" ? 125 : 93;
  let code = skipSpaceHere(input);
  if (code === more || code === slash) code = yield* skipBlank(input, reading);
  let comma = fresh;
  while (code === 44) {
    if (comma) noteRepair(reading.repairs, "trailing-comma");
    comma = true;
    input.pos++;
    code = skipSpaceHere(input);
    if (code === more || code === slash) code = yield* skipBlank(input, reading);
    if (code === 44 || code === closer) noteRepair(reading.repairs, "trailing-comma");
  }
  if (code === closer) {
    input.pos++;
    return "closed";
  }
  if (code === -1) {
    reading.outcome = "cut";
    return "stop";
  }
  // An end tag, or the closer of a container further out, where this one was left open.
  if (reading.lenient && (code === 60 || code === 125 || code === 93)) {
    noteRepair(reading.repairs, "missing-closer");
    return "closed";
  }
  if (!comma) {
    if (code !== 34 && code !== 39 && code !== 123) return stop(reading);
    noteRepair(reading.repairs, "missing-comma");
  }
  return "value";
}

function stop(reading: JsonReading): "stop" {
  reading.outcome = "broken";
  return "stop";
}

/** Reads a key and the colon after it; undefined when there is none. */
export function* readKey(input: Input, reading: JsonReading, depth: number): Reader<string | undefined> {
  // A separator has been read up to the key, which is therefore in the window.
  const code = input.look(0);
  let key: string;
  if (code === 34 || code === 39) {
    key = yield* readString(input, reading, "key", depth);
  } else if (reading.lenient && (isWordChar(code) || code === 36)) {
    noteRepair(reading.repairs, "unquoted-key");
    key = yield* readWord(input, "-$");
  } else {
    stop(reading);
    return undefined;
  }
  if (reading.outcome !== "whole") return undefined;
  let colon = skipSpaceHere(input);
  if (colon === more || colon === slash) colon = yield* skipBlank(input, reading);
  if (colon !== 58) {
    reading.outcome = colon === -1 ? "cut" : "broken";
    return undefined;
  }
  input.pos++;
  return key;
}

function* readScalarOrOpen(input: Input, reading: JsonReading, stack: Container[]): Reader<JsonValue> {
  let code = skipSpaceHere(input);
  if (code === more || code === slash) code = yield* skipBlank(input, reading);
  const top = stack.at(-1);
  const depth = reading.outer + stack.length;
  if (code === 34 || code === 39) {
    const place = top === undefined ? (reading.outer > 0 ? "in-object" : "alone") : placeIn(top);
    return yield* readString(input, reading, place, depth);
  }
  if (code === 123 || code === 91) {
    input.pos++;
    if (stack.length >= maxDepth) {
      stop(reading);
      return null;
    }
    const opened: Container =
      code === 123 ? { kind: "object", value: {}, key: "" } : { kind: "list", value: [] };
    stack.push(opened);
    return opened.value;
  }
  if (code === -1) {
    reading.outcome = "cut";
    return null;
  }
  return yield* readBare(input, reading);
}

function placeIn(container: Container): "in-object" | "in-list" {
  return container.kind === "object" ? "in-object" : "in-list";
}

const words: { readonly [word: string]: { readonly value: JsonValue; readonly python?: true } } = {
  true: { value: true },
  false: { value: false },
  null: { value: null },
  True: { value: true, python: true },
  False: { value: false, python: true },
  None: { value: null, python: true },
  undefined: { value: null, python: true },
};

/** A number, or one of the literal words. */
function* readBare(input: Input, reading: JsonReading): Reader<JsonValue> {
  const word = yield* readValueWord(input);
  if (yield* endsText(input)) {
    // Nothing tells `1` from the beginning of `12`.
    reading.outcome = "cut";
    return null;
  }
  const known = Object.hasOwn(words, word) ? words[word] : undefined;
  if (known) {
    if (known.python) noteRepair(reading.repairs, "python-literal");
    return known.value;
  }
  if (/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(word)) {
    return Number.isFinite(Number(word)) ? Number(word) : word;
  }
  const code = yield* skipSpace(input);
  if (reading.lenient && word !== "" && (code === 44 || code === 125 || code === 93)) {
    noteRepair(reading.repairs, "unquoted-value");
    return word;
  }
  stop(reading);
  return null;
}

/** A bare word may hold slashes, but not begin a comment. */
function* readValueWord(input: Input): Reader<string> {
  let word = yield* readWord(input, "+-.$");
  while ((yield* peek(input)) === 47) {
    const next = yield* peek(input, 1);
    const isNumber = /^[-+.\d]*$/.test(word);
    if (isNumber || next === 42) return word;
    word += "/";
    input.pos++;
    word += yield* readWord(input, "+-.$");
    if (word.length > 400) return word;
  }
  return word;
}

function* endsText(input: Input): Reader<boolean> {
  return (yield* peek(input)) === -1;
}

function* readWord(input: Input, signs: string): Reader<string> {
  let word = "";
  for (;;) {
    const code = yield* peek(input);
    if (!isWordChar(code) && (code === -1 || !signs.includes(String.fromCharCode(code)))) return word;
    word += String.fromCharCode(code);
    input.pos++;
    if (word.length > 400) return word;
  }
}

/** Moves over white space and, where allowed, comments. Returns the code after them. */
export function* skipBlank(input: Input, reading: JsonReading): Reader<number> {
  for (;;) {
    const code = yield* skipSpace(input);
    if (code !== 47 || !reading.lenient) return code;
    const next = yield* peek(input, 1);
    if (next !== 47 && next !== 42) return code;
    const start = input.hold();
    const ended = yield* skipComment(input, next === 42);
    // What never ends was no comment: it must not swallow the end tag.
    if (!ended) input.rewind(start);
    input.release();
    if (!ended) return code;
    noteRepair(reading.repairs, "comment");
  }
}

function* skipComment(input: Input, block: boolean): Reader<boolean> {
  const kind = block ? "block" : "line";
  if (input.endless[kind]) return false;
  input.pos += 2;
  for (;;) {
    const code = yield* peek(input);
    if (code === -1) {
      input.endless[kind] = true;
      return false;
    }
    if (!block && (code === 10 || code === 13)) return true;
    input.pos++;
    if (block && code === 42 && (yield* peek(input)) === 47) {
      input.pos++;
      return true;
    }
  }
}

/** Reads a whole text as one JSON value with nothing after it; undefined when it is none. */
export function parseJson(text: string, reading: JsonReading = jsonReading(true, [])): JsonValue | undefined {
  const input = wholeInput(`${text}\n`);
  readWhole(skipSpace(input));
  const value = readWhole(readJson(input, reading));
  const rest = readWhole(skipSpace(input));
  return reading.outcome === "whole" && rest === -1 ? value : undefined;
}

const omissions: readonly Repair[] = ["dropped-key", "comment"];

/** Reads a text inside a call as JSON. Of its repairs only those are noted that left something out. */
export function parseInner(text: string, repairs: Repair[], lenient = true): JsonValue | undefined {
  const found: Repair[] = [];
  const value = parseJson(text, jsonReading(lenient, found));
  if (value !== undefined)
    for (const repair of omissions) if (found.includes(repair)) noteRepair(repairs, repair);
  return value;
}
