/** Reads Gemma's object notation: keys without quotes, strings between special tokens, scalars without quotes. */

import { type JsonReading, maxDepth, noteRepair, setLast } from "../json/result.ts";
import type { ShownArguments, ShownText } from "../markup/shown-arguments.ts";
import { typeText } from "../markup/type-text.ts";
import { at, type Input, isSpace, peek, type Reader, skipSpace, take } from "../scan/input.ts";
import { Rope } from "../scan/rope.ts";
import { itemSchema, propertySchema, type Schema } from "../schema/read-schema.ts";
import type { JsonValue } from "../types.ts";

export interface GemmaTokens {
  /** What begins a call. */
  readonly open: string;
  readonly quote: string;
  /** The end of the frame, which also ends what was left open. */
  readonly end: string;
}

/** Reads the arguments of a call, from `{` to behind `}`, and shows them as they come. */
export function readGemmaArguments(
  input: Input,
  reading: JsonReading,
  tokens: GemmaTokens,
  schema: Schema,
  shown: ShownArguments,
): Reader<JsonValue> {
  return readObject(input, reading, tokens, schema, 0, shown);
}

function* readObject(
  input: Input,
  reading: JsonReading,
  tokens: GemmaTokens,
  schema: Schema | undefined,
  depth: number,
  shown?: ShownArguments,
): Reader<JsonValue> {
  const value: { [key: string]: JsonValue } = {};
  input.pos++;
  for (;;) {
    const code = yield* skipSpace(input);
    if (code === 44) {
      input.pos++;
      continue;
    }
    if (code === 125) {
      input.pos++;
      return value;
    }
    if (yield* missingCloser(input, reading, tokens)) return value;
    const key = yield* readKey(input, reading, tokens);
    if (key === undefined) return value;
    const inner = schema ? propertySchema(schema, key) : undefined;
    const text = shown?.text(key, { tail: "braces" });
    const item = yield* readValue(input, reading, tokens, inner, depth + 1, text);
    if (reading.outcome !== "whole") return value;
    setLast(value, key, item, reading.repairs);
    text?.end(item);
  }
}

/** The end of the frame, or of the text behind a finished member, where a closer should stand. */
function* missingCloser(input: Input, reading: JsonReading, tokens: GemmaTokens): Reader<boolean> {
  if ((yield* peek(input)) === -1) {
    reading.outcome = "cut";
    return true;
  }
  if (!(yield* at(input, tokens.end))) return false;
  noteRepair(reading.repairs, "missing-closer");
  return true;
}

function* readKey(input: Input, reading: JsonReading, tokens: GemmaTokens): Reader<string | undefined> {
  yield* take(input, tokens.quote);
  let key = "";
  for (;;) {
    const code = yield* peek(input);
    if (code === 58) break;
    if (code === -1 || code === 125 || code === 44 || key.length > 200) {
      reading.outcome = code === -1 ? "cut" : "broken";
      return undefined;
    }
    key += String.fromCharCode(code);
    input.pos++;
  }
  input.pos++;
  const bare = key.trim();
  return (bare.endsWith(tokens.quote) ? bare.slice(0, -tokens.quote.length) : bare).replace(
    /^["']|["']$/g,
    "",
  );
}

function* readValue(
  input: Input,
  reading: JsonReading,
  tokens: GemmaTokens,
  schema: Schema | undefined,
  depth: number,
  text?: ShownText,
): Reader<JsonValue> {
  if (depth > maxDepth / 4) {
    reading.outcome = "broken";
    return null;
  }
  if (yield* take(input, tokens.quote)) return yield* readQuoted(input, reading, tokens, text);
  const start = yield* peek(input);
  if (start === 32 || start === 10) {
    const mark = input.hold();
    const code = yield* skipSpace(input);
    const structured = code === 123 || code === 91 || code === 34 || (yield* at(input, tokens.quote));
    if (!structured) input.rewind(mark);
    input.release();
    if (structured) return yield* readValue(input, reading, tokens, schema, depth, text);
  }
  if (start === 123) return yield* readObject(input, reading, tokens, schema, depth);
  if (start === 91) return yield* readList(input, reading, tokens, schema, depth);
  if (start === 34 || start === 39) return yield* readOrdinary(input, reading, tokens, start);
  return yield* readScalar(input, reading, tokens, schema);
}

/** A string between tokens; a lost closing token at the end of the frame is made up for. */
function* readQuoted(
  input: Input,
  reading: JsonReading,
  tokens: GemmaTokens,
  shown?: ShownText,
): Reader<string> {
  const value = new Rope();
  let end = -1;
  const add = (piece: string) => {
    value.add(piece);
    shown?.piece(piece);
  };
  for (;;) {
    if (readPlain(input, tokens, add)) {
      if (input.ended) {
        reading.outcome = "cut";
        return value.from(0);
      }
      input.absorb = () => readPlain(input, tokens, add);
      yield;
    } else if (yield* take(input, tokens.quote)) {
      return value.from(0);
    } else {
      if (input.offset > end) end = yield* findEnd(input, tokens, value.from(0));
      if (end < 0) {
        noteRepair(reading.repairs, "missing-closer");
        return value.from(0).replace(/\}+$/, "");
      }
      input.pos += tokens.end.length;
      add(tokens.end);
    }
  }
}

/**
 * Where the string ends that the end of the frame stands in: at its own end, in front of which no other call begins. Without
 * one at the end of the text, unless the call is closed in front of it or nothing follows. Else -1: it ends here.
 */
function* findEnd(input: Input, tokens: GemmaTokens, value: string): Reader<number> {
  const mark = input.hold();
  input.pos += tokens.end.length;
  let found = -1;
  const isOpen = value.includes(tokens.open);
  const isClosed = value.endsWith("}") && !isOpen;
  for (let isBlank = true; ; input.pos++) {
    const code = yield* peek(input);
    if (code === -1 && (isOpen || !(isBlank || isClosed))) found = input.offset;
    if (code === -1 || (code === 60 && (yield* at(input, tokens.open)))) break;
    if (code === 60 && (yield* at(input, tokens.quote))) {
      const end = input.offset;
      input.pos += tokens.quote.length;
      const next = yield* skipSpace(input);
      if (next === 44 || next === 125 || next === 93 || next === -1) found = end;
      break;
    }
    isBlank &&= isSpace(code);
  }
  input.rewind(mark);
  input.release();
  return found;
}

/** Moves over text. True when more of it is needed or there is none, false in front of what ends a string. */
function readPlain(input: Input, tokens: GemmaTokens, add: (piece: string) => void): boolean {
  for (let from = input.pos; ; ) {
    const { text, pos } = input;
    const found = text.indexOf("<", from);
    const end = found < 0 ? text.length : found;
    input.pos = end;
    if (end > pos) add(text.slice(pos, end));
    if (found < 0) return true;
    input.short = false;
    if (input.stands(tokens.quote, 0) || input.stands(tokens.end, 0)) return false;
    if (input.short) return true;
    from = found + 1;
  }
}

function* readList(
  input: Input,
  reading: JsonReading,
  tokens: GemmaTokens,
  schema: Schema | undefined,
  depth: number,
): Reader<JsonValue> {
  const items: JsonValue[] = [];
  input.pos++;
  for (;;) {
    const code = yield* skipSpace(input);
    if (code === 44) {
      input.pos++;
      continue;
    }
    if (code === 93) {
      input.pos++;
      return items;
    }
    if (code === 125) {
      noteRepair(reading.repairs, "missing-closer");
      return items;
    }
    if (yield* missingCloser(input, reading, tokens)) return items;
    const inner = schema ? itemSchema(schema, items.length) : undefined;
    items.push(yield* readValue(input, reading, tokens, inner, depth + 1));
    if (reading.outcome !== "whole") return items;
  }
}

/** A string in ordinary quotes, which the format does not have. */
function* readOrdinary(
  input: Input,
  reading: JsonReading,
  tokens: GemmaTokens,
  quote: number,
): Reader<string> {
  noteRepair(reading.repairs, quote === 39 ? "single-quotes" : "unquoted-value");
  input.pos++;
  let value = "";
  for (;;) {
    const code = yield* peek(input);
    if (code === -1) {
      reading.outcome = "cut";
      return value;
    }
    if (code === 92 && (yield* peek(input, 1)) === quote) {
      value += String.fromCharCode(quote);
      input.pos += 2;
      continue;
    }
    if (code === quote && (yield* endsValue(input, tokens))) {
      input.pos++;
      yield* take(input, tokens.quote);
      return value;
    }
    value += String.fromCharCode(code);
    input.pos++;
  }
}

function* endsValue(input: Input, tokens: GemmaTokens): Reader<boolean> {
  const next = yield* peek(input, 1);
  if (next === 44 || next === 125 || next === 93 || next === -1) return true;
  return (yield* at(input, tokens.end, 1)) || (yield* at(input, tokens.quote, 1));
}

/** Anything up to a comma or a closer: a number, a word, or a text that was left without its tokens. */
function* readScalar(
  input: Input,
  reading: JsonReading,
  tokens: GemmaTokens,
  schema: Schema | undefined,
): Reader<JsonValue> {
  let value = "";
  for (;;) {
    const code = yield* peek(input);
    if (code === -1) {
      reading.outcome = "cut";
      return null;
    }
    // Over several lines it can only be a text, which ends where the frame does.
    if ((code === 44 || code === 125 || code === 93) && !value.includes("\n")) break;
    if (code === 60 && (yield* at(input, tokens.end))) break;
    value += String.fromCharCode(code);
    input.pos++;
  }
  if (value.includes("\n")) {
    noteRepair(reading.repairs, "unquoted-value");
    return value.replace(/\}+$/, "");
  }
  return typeText(value.trim(), schema, "json", reading.repairs);
}
