/** Reads Gemma's object notation: keys without quotes, strings between special tokens, scalars without quotes. */
import { itemSchema, propertySchema, type Schema } from "@localharness/schema";
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
  colon,
  comma,
  doubleQuote,
  lessThan,
  lineFeed,
  openBrace,
  openBracket,
  singleQuote,
  space,
} from "../scan/characters.ts";
import { at, type Input, peek, type Reader, skipSpace, take } from "../scan/input.ts";
import type { JsonObject, JsonValue } from "../types.ts";

export interface GemmaTokens {
  readonly open: string;
  readonly quote: string;
  /** The token that ends the call, and any value in it that was not closed. */
  readonly end: string;
}

export interface GemmaReading {
  readonly looking: Looking;
  readonly input: Input;
  readonly reading: JsonReading;
  readonly tokens: GemmaTokens;
  readonly text: ValueTags;
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
  return { looking, input: looking.input, reading, tokens, text };
}

/** Reads an object, from `{` to `}`. Its texts are shown while they come if `shown` is given. */
export function* readGemmaObject(
  gemma: GemmaReading,
  schema: Schema | undefined,
  depth: number,
  shown?: ShownArguments,
): Reader<JsonValue> {
  const { reading } = gemma;
  const value: JsonObject = {};
  yield* readMembers(gemma, 125, function* () {
    const key = yield* readKey(gemma);
    if (key === undefined) return;
    const inner = schema ? propertySchema(schema, key) : undefined;
    const text = shown?.text(key, { tail: "braces" });
    const item = yield* readValue(gemma, inner, depth + 1, text);
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
    items.push(yield* readValue(gemma, inner, depth + 1));
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

/** Reads a string between tokens. If the closing token is missing, the string ends at the end of the frame. */
function* readQuoted({ looking, reading, text }: GemmaReading, shown?: ShownText): Reader<string> {
  const value = yield* readTagValue(looking, text, shown?.piece);
  if (value.end === "own-tag") return value.text;
  if (value.end === "cut") {
    reading.outcome = "cut";
    return value.text;
  }
  noteRepair(reading.repairs, "missing-closer");
  return value.text.replace(/(?<!\})\}+$/, "");
}

/** Reads a string in ordinary quotes, which a model wrote in place of the tokens. */
function* readOrdinary({ input, reading, tokens }: GemmaReading, quote: number): Reader<string> {
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
    if (code === quote && (yield* endsValue(input, tokens))) {
      input.pos += 1;
      yield* take(input, tokens.quote);
      return value;
    }
    value += String.fromCharCode(code);
    input.pos += 1;
  }
}

function* endsValue(input: Input, tokens: GemmaTokens): Reader<boolean> {
  const next = yield* peek(input, 1);
  if (next === comma || next === closeBrace || next === closeBracket || next === -1) return true;
  return (yield* at(input, tokens.end, 1)) || (yield* at(input, tokens.quote, 1));
}

/** Reads the value up to a comma or a closer: a number, a word, or a text without its tokens. */
function* readScalar(
  { input, reading, tokens }: GemmaReading,
  schema: Schema | undefined,
): Reader<JsonValue> {
  let value = "";
  for (;;) {
    const code = yield* peek(input);
    if (code === -1) {
      reading.outcome = "cut";
      return null;
    }
    // A value with several lines is a text, and ends with the frame.
    if ((code === comma || code === closeBrace || code === closeBracket) && !value.includes("\n")) break;
    if (code === lessThan && (yield* at(input, tokens.end))) break;
    value += String.fromCharCode(code);
    input.pos += 1;
  }
  if (!value.includes("\n")) return typeText(value.trim(), schema, "json", reading.repairs);
  noteRepair(reading.repairs, "unquoted-value");
  return value.replace(/(?<!\})\}+$/, "");
}
