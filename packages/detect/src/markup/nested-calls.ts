/**
 * Finds the end of a value that contains calls as text, such as a file about tool calls. The beginning of such a value looks as
 * if the value's end tag were missing. But each tag that opens inside the value is closed again, and then the value's own end
 * tag follows.
 */
import { type Input, type Reader, spaceEnd } from "../scan/input.ts";
import { type Tag, type TagStyle, tagHere } from "./tag.ts";
import {
  isCertainEnd,
  isExhausted,
  isOwnEnd,
  type Looking,
  structureAfter,
  type ValueTags,
} from "./value-end.ts";

interface OpenValue extends ValueTags {
  readonly looking: Looking;
  /** The number of open frames inside the value. */
  readonly frames: number;
}

/**
 * Finds the value's own end after the call or argument that begins at distance `ahead`. Moves before the end and returns its tag.
 * A tag of length 0 is the beginning of the next list item. If there is no such end, does not move, and returns `cut` if the
 * text ends first, or undefined if the call ends first or too much was searched in vain.
 */
export function* endOfNested(value: OpenValue, ahead = 0): Reader<Tag | "cut" | undefined> {
  const { looking } = value;
  const { input } = looking;
  const start = input.offset;
  if (isExhausted(looking)) return undefined;
  input.pos += ahead;
  const end = yield* value.ends.certainBy === "itself" ? findFirstEnd(value) : findEnd(value);
  if (end === undefined || end === "cut") {
    looking.lookedInVain += input.offset - start;
    input.rewind(start);
  }
  return end;
}

/** Finds the first end, for values that cannot nest; undefined if a call begins before it, or if no structure follows it. */
function* findFirstEnd(value: OpenValue): Reader<Tag | "cut" | undefined> {
  const { input } = value.looking;
  for (;;) {
    const tag = yield* nextTag(input, value.style);
    if (tag === undefined) return "cut";
    const role = value.roles(tag);
    if (role === "frame") return undefined;
    if (isOwnEnd(tag, role, value.own)) {
      return (yield* isCertainEnd(input, value, tag.length)) ? tag : undefined;
    }
    input.pos += tag.length;
  }
}

function* findEnd(value: OpenValue): Reader<Tag | "cut" | undefined> {
  const { looking, style, roles, own, ends } = value;
  const { input } = looking;
  let { frames } = value;
  let open = 0;
  let calls = 0;
  let closed = false;
  for (;;) {
    const tag = yield* nextTag(input, style);
    if (tag === undefined) return "cut";
    const role = roles(tag);
    if (isOwnEnd(tag, role, own)) {
      if (open > 0) open -= 1;
      else if (yield* isCertainEnd(input, value, tag.length)) return tag;
      closed = true;
    } else if (tag.kind === "open" && opensValue(tag, value)) {
      if (ends.isItem && closed && open === 0 && (yield* isTwice(input, tag, style))) {
        return { ...tag, length: 0 };
      }
      open += 1;
    } else if (tag.kind === "open" && role === "call") {
      calls += 1;
    } else if (tag.kind === "open" && role === "frame") {
      frames += 1;
    } else if (role === "call-end" && calls > 0) {
      calls -= 1;
    } else if (role === "frame-end" && frames > 0) {
      frames -= 1;
    } else if (role === "call-end" || role === "frame-end") {
      const after = yield* structureAfter(input, value, tag.length);
      if (after !== undefined && after !== "argument-end") return undefined;
    }
    input.pos += tag.length;
  }
}

/** Returns true if the tag opens a value, so that the next end of a value closes it. */
function opensValue(tag: Tag, { roles, own }: ValueTags): boolean {
  return tag.name === own || roles({ ...tag, kind: "close" }) === "argument-end";
}

/** Returns true if an opening tag of the same name directly follows: one begins a list item, the next a text in it. */
function* isTwice(input: Input, tag: Tag, style: TagStyle): Reader<boolean> {
  const ahead = yield* spaceEnd(input, tag.length, 200);
  const next = yield* tagHere(input, style, ahead);
  return next?.kind === "open" && next.name === tag.name;
}

/** Moves before the next tag and returns it; undefined at the end of the text. */
function* nextTag(input: Input, style: TagStyle): Reader<Tag | undefined> {
  const begin = style.open.charAt(0);
  for (;;) {
    const found = input.text.indexOf(begin, input.pos);
    input.pos = found < 0 ? input.text.length : found;
    if (found >= 0) {
      const tag = yield* tagHere(input, style);
      if (tag !== undefined) return tag;
      input.pos += 1;
    } else if (input.ended) {
      return undefined;
    } else {
      yield;
    }
  }
}
