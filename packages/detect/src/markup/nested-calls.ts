/**
 * Tells a value that holds calls as text (a file about tool calls) from a value whose end tag is missing: in the first one
 * all that is opened is closed again, and the value's own end follows.
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
  /** Number of open frames inside the value. */
  readonly frames: number;
}

/**
 * Finds the value's own end after the call or argument that begins `ahead`, and moves before it. Not moved when the value has no
 * such end: `cut` when the text ends first, undefined when the call does.
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

/** Finds the first end, which belongs to the value if nothing nests and no other call begins before it. */
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

/** Tells whether the end of a value belongs to this tag. */
function opensValue(tag: Tag, { roles, own }: ValueTags): boolean {
  return tag.name === own || roles({ ...tag, kind: "close" }) === "argument-end";
}

/** Tells whether the tag stands here twice: an item, and the text of its name in it. */
function* isTwice(input: Input, tag: Tag, style: TagStyle): Reader<boolean> {
  const ahead = yield* spaceEnd(input, tag.length, 200);
  const next = yield* tagHere(input, style, ahead);
  return next?.kind === "open" && next.name === tag.name;
}

/** Moves in front of the next tag; undefined at the end of the text. */
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
