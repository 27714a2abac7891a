/** Reads Gemma's object notation: keys without quotes, strings between special tokens, scalars without quotes. */
import { isTextOnly, itemSchema, propertyNames, propertySchema, type Schema } from "@localharness/schema";
import { type JsonReading, maxDepth, noteRepair, setLast } from "../json/result.ts";
import { readTagValue } from "../markup/read-tag-value.ts";
import type { ShownArguments, ShownText } from "../markup/shown-arguments.ts";
import { tokenStyle } from "../markup/tag.ts";
import { typeText } from "../markup/type-text.ts";
import { type Looking, tokenText, type ValueTags } from "../markup/value-end.ts";
import {
  backslash,
  closeBrace,
  closeBracket,
  closeParen,
  colon,
  comma,
  doubleQuote,
  equals,
  lessThan,
  lineFeed,
  openBrace,
  openBracket,
  singleQuote,
  space,
} from "../scan/characters.ts";
import {
  at,
  endOf,
  type Input,
  isNameChar,
  peek,
  type Reader,
  skipSpace,
  spaceEnd,
  take,
} from "../scan/input.ts";
import type { JsonObject, JsonValue } from "../types.ts";

export interface GemmaTokens {
  readonly open: string;
  readonly quote: string;
  /** The token that ends the call, and any value in it that was not closed. */
  readonly end: string;
  /** True if the arguments are in round brackets, with `=` or `:` after each key. */
  readonly round?: boolean;
}

export interface GemmaReading {
  readonly looking: Looking;
  readonly input: Input;
  readonly reading: JsonReading;
  readonly tokens: GemmaTokens;
  readonly text: ValueTags;
  /** The declared keys of the object that is read. A comma before one of them ends a text without quotes. */
  readonly keys: readonly string[];
  readonly inList: boolean;
}

export function gemmaReading(looking: Looking, reading: JsonReading, tokens: GemmaTokens): GemmaReading {
  const { open, end, quote } = tokens;
  const style = tokenStyle("<", [
    [quote, "close", "text"],
    [end, "close", "call"],
    [open, "open", "call"],
  ]);
  const text: ValueTags = {
    style,
    roles: ({ name, kind }) => (name === "text" ? undefined : kind === "open" ? "frame" : "frame-end"),
    own: "text",
    ends: tokenText,
  };
  return { looking, input: looking.input, reading, tokens, text, keys: [], inList: false };
}

/** Reads an object, from `{` to `}`, or the arguments in round brackets. Its texts are shown while they come if `shown` is given. */
export function* readGemmaObject(
  gemma: GemmaReading,
  schema: Schema | undefined,
  depth: number,
  shown?: ShownArguments,
): Reader<JsonValue> {
  const { reading, tokens } = gemma;
  const value: JsonObject = {};
  const inObject = { ...gemma, keys: schema ? propertyNames(schema) : [], inList: false };
  yield* readMembers(gemma, tokens.round && depth === 0 ? closeParen : closeBrace, function* () {
    const key = yield* readKey(gemma);
    if (key === undefined) return;
    const inner = schema ? propertySchema(schema, key) : undefined;
    const text = shown?.text(key, { tail: "braces" });
    const item = yield* readValue(inObject, inner, depth + 1, text);
    if (reading.outcome !== "whole") return;
    setLast(value, key, item, reading.repairs);
    text?.end(item);
  });
  return value;
}

function* readList(gemma: GemmaReading, schema: Schema | undefined, depth: number): Reader<JsonValue> {
  const items: JsonValue[] = [];
  yield* readMembers(gemma, 93, function* () {
    const inner = schema ? itemSchema(schema, items.length) : undefined;
    items.push(yield* readValue({ ...gemma, inList: true }, inner, depth + 1));
  });
  return items;
}

/** Reads members up to the closer of their container, or up to the place where it is missing. */
function* readMembers(gemma: GemmaReading, closer: number, readMember: () => Reader<void>): Reader<void> {
  const { input, reading, tokens } = gemma;
  input.pos += 1;
  while (reading.outcome === "whole") {
    const code = yield* skipSpace(input);
    if (code === comma) {
      input.pos += 1;
    } else if (code === closer) {
      input.pos += 1;
      return;
    } else if (code === -1) {
      reading.outcome = "cut";
    } else if (code === closeBrace || (yield* at(input, tokens.end))) {
      return noteRepair(reading.repairs, "missing-closer");
    } else {
      yield* readMember();
    }
  }
}

function* readKey({ input, reading, tokens }: GemmaReading): Reader<string | undefined> {
  yield* take(input, tokens.quote);
  let key = "";
  for (;;) {
    const code = yield* peek(input);
    if (code === colon) break;
    if (code === equals) {
      if (!tokens.round) noteRepair(reading.repairs, "wrong-separator");
      break;
    }
    if (code === -1 || code === closeBrace || code === comma || key.length > 200) {
      reading.outcome = code === -1 ? "cut" : "broken";
      return undefined;
    }
    key += String.fromCharCode(code);
    input.pos += 1;
  }
  input.pos += 1;
  const bare = key.trim();
  const inner = bare.endsWith(tokens.quote) ? bare.slice(0, -tokens.quote.length) : bare;
  return inner.replace(/^["']|["']$/g, "");
}

function* readValue(
  gemma: GemmaReading,
  schema: Schema | undefined,
  depth: number,
  text?: ShownText,
): Reader<JsonValue> {
  const { input, reading, tokens } = gemma;
  if (depth > maxDepth / 4) {
    reading.outcome = "broken";
    return null;
  }
  if (yield* take(input, tokens.quote)) return yield* readQuoted(gemma, text);
  const start = yield* peek(input);
  if (start === space || start === lineFeed) {
    const mark = input.hold();
    const code = yield* skipSpace(input);
    const structured =
      code === openBrace || code === openBracket || code === doubleQuote || (yield* at(input, tokens.quote));
    if (!structured) input.rewind(mark);
    input.release();
    if (structured) return yield* readValue(gemma, schema, depth, text);
  }
  if (start === openBrace) return yield* readGemmaObject(gemma, schema, depth);
  if (start === openBracket) return yield* readList(gemma, schema, depth);
  if (start === doubleQuote || start === singleQuote) return yield* readOrdinary(gemma, start);
  return yield* readScalar(gemma, schema);
}

/**
 * Reads a string between tokens. If the closing token is missing, the string ends before the next key of the object, or at the
 * end of the frame.
 */
function* readQuoted(gemma: GemmaReading, shown?: ShownText): Reader<string> {
  const { looking, reading, text, input } = gemma;
  const start = input.offset;
  const value = yield* readTagValue(looking, text, shown?.piece);
  if (value.end === "own-tag") return value.text;
  if (value.end === "cut") {
    reading.outcome = "cut";
    return value.text;
  }
  noteRepair(reading.repairs, "missing-closer");
  const next = nextKey(gemma, value.text);
  if (next < 0) return value.text.replace(/(?<!\})\}+$/, "");
  input.rewind(start + next);
  return value.text.slice(0, next);
}

/** Returns the index of the comma before the next declared key in a text; -1 for none. */
function nextKey({ keys, inList }: GemmaReading, text: string): number {
  if (inList) return -1;
  for (const { index, 1: key = "" } of text.matchAll(/,\s*([\p{L}\p{N}_.-]{1,100})\s*:/gu)) {
    if (keys.includes(key)) return index;
  }
  return -1;
}

/** Reads a string in ordinary quotes, which a model wrote in place of the tokens. */
function* readOrdinary(gemma: GemmaReading, quote: number): Reader<string> {
  const { input, reading, tokens } = gemma;
  noteRepair(reading.repairs, quote === singleQuote ? "single-quotes" : "unquoted-value");
  input.pos += 1;
  let value = "";
  for (;;) {
    const code = yield* peek(input);
    if (code === -1) {
      reading.outcome = "cut";
      return value;
    }
    if (code === backslash && (yield* peek(input, 1)) === quote) {
      value += String.fromCharCode(quote);
      input.pos += 2;
      continue;
    }
    if (code === quote && (yield* endsValue(gemma))) {
      input.pos += 1;
      yield* take(input, tokens.quote);
      return value;
    }
    value += String.fromCharCode(code);
    input.pos += 1;
  }
}

/** Returns true if the quote here ends its text: the next member, a closer or the end follows. */
function* endsValue({ input, tokens, inList }: GemmaReading): Reader<boolean> {
  const ahead = yield* spaceEnd(input, 1, 40);
  const next = yield* peek(input, ahead);
  if (next === comma) return inList || (yield* memberFollows(input, tokens, ahead + 1, []));
  if (next === closeBrace || next === closeBracket || next === -1) return true;
  if (tokens.round && next === closeParen) return true;
  return (yield* at(input, tokens.end, 1)) || (yield* at(input, tokens.quote, 1));
}

/** Returns true if a key and a colon are at the distance `start`, or a closer. If `keys` are given, the key must be one. */
function* memberFollows(
  input: Input,
  tokens: GemmaTokens,
  start: number,
  keys: readonly string[],
): Reader<boolean> {
  let ahead = yield* spaceEnd(input, start, 40);
  if (yield* at(input, tokens.quote, ahead)) ahead += tokens.quote.length;
  const first = yield* peek(input, ahead);
  if (first === -1 || first === closeBrace || first === closeBracket) return true;
  if (tokens.round && first === closeParen) return true;
  if (first === doubleQuote || first === singleQuote) ahead += 1;
  const end = yield* endOf(input, ahead, 100, (code) => isNameChar(code) || code > 127);
  const key = input.text.slice(input.pos + ahead, input.pos + end);
  if (key === "" || (keys.length > 0 && !keys.includes(key))) return false;
  const after = yield* endOf(input, end, 40, (code) => ` "'`.includes(String.fromCharCode(code)));
  const next = yield* peek(input, after);
  return next === colon || next === equals || (yield* at(input, tokens.quote, end));
}

/** Reads the value up to a comma or a closer: a number, a word, or a text without its tokens. */
function* readScalar(
  { input, reading, tokens, inList, keys }: GemmaReading,
  schema: Schema | undefined,
): Reader<JsonValue> {
  let value = "";
  const isText = isTextOnly(schema) && !inList;
  for (;;) {
    const code = yield* peek(input);
    if (code === -1) {
      reading.outcome = "cut";
      return null;
    }
    if (code === lessThan && (yield* take(input, tokens.quote))) {
      noteRepair(reading.repairs, "unquoted-value");
      break;
    }
    // A comma in a text without quotes ends it only before the next key.
    if (code === comma && isText && !(yield* memberFollows(input, tokens, 1, keys))) {
      value += ",";
      input.pos += 1;
      continue;
    }
    // A value with several lines is a text, and ends before the next declared key or with the frame.
    const endsMember = code === comma && isText && keys.length > 0;
    const closes = code === closeBrace || code === closeBracket || (tokens.round && code === closeParen);
    if (endsMember || ((code === comma || closes) && !value.includes("\n"))) break;
    if (code === lessThan && (yield* at(input, tokens.end))) break;
    value += String.fromCharCode(code);
    input.pos += 1;
  }
  if (!value.includes("\n")) return typeText(value.trim(), schema, "json", reading.repairs);
  noteRepair(reading.repairs, "unquoted-value");
  return value.replace(/(?<!\})\}+$/, "");
}
