/**
 * Tells a value that holds calls as text (a file about tool calls) from a value whose end tag is missing: in the first one
 * all that is opened is closed again, and the value's own end comes behind that.
 */
import type { Input, Reader } from "../scan/input.ts";
import type { Session } from "../scan/session.ts";
import { isOwnEnd, structureBehind, type ValueTags } from "./structure.ts";
import { type Tag, type TagStyle, tagHere } from "./tag.ts";

/** Text may be looked at in vain up to this many times its length, so that time stays linear. */
const lookFactor = 4;
const lookFloor = 65_536;

interface OpenValue extends ValueTags {
  readonly session: Session;
  /** How many frames are open inside the value. */
  readonly frames: number;
  /** How many values of its own name are. */
  readonly opened?: number;
}

/**
 * The value's own end behind the call or argument that begins here; moves in front of it. Not moved when the value has no
 * such end: `cut` when the text ends first, undefined when the call does.
 */
export function* endOfNested(value: OpenValue): Reader<Tag | "cut" | undefined> {
  const { session } = value;
  const { input } = session;
  const start = input.offset;
  if (session.lookedInVain > lookFloor + lookFactor * start) return undefined;
  const end = yield* findEnd(value);
  if (end === undefined || end === "cut") {
    session.lookedInVain += input.offset - start;
    input.rewind(start);
  }
  return end;
}

function* findEnd(value: OpenValue): Reader<Tag | "cut" | undefined> {
  const { session, style, roles, own } = value;
  const { input } = session;
  let { frames, opened: open = 0 } = value;
  let calls = 0;
  for (;;) {
    const tag = yield* nextTag(input, style);
    if (tag === undefined) return "cut";
    const role = roles(tag);
    if (isOwnEnd(tag, role, own)) {
      if (open > 0) open--;
      else if ((yield* structureBehind(session, value, tag.length)) !== undefined) return tag;
    } else if (tag.kind === "open" && opensValue(tag, value)) {
      open++;
    } else if (tag.kind === "open" && role === "call") {
      calls++;
    } else if (tag.kind === "open" && role === "frame") {
      frames++;
    } else if (role === "call-end" && calls > 0) {
      calls--;
    } else if (role === "frame-end" && frames > 0) {
      frames--;
    } else if (role === "call-end" || role === "frame-end") {
      const behind = yield* structureBehind(session, value, tag.length);
      if (behind !== undefined && behind !== "argument-end") return undefined;
    }
    input.pos += tag.length;
  }
}

/** Whether the end of a value belongs to this tag. */
function opensValue(tag: Tag, { roles, own }: ValueTags): boolean {
  return tag.name === own || roles({ ...tag, kind: "close" }) === "argument-end";
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
      input.pos++;
    } else if (input.ended) {
      return undefined;
    } else {
      yield;
    }
  }
}
