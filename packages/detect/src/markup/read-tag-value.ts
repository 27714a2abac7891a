/**
 * Reads the value of an argument between tags. An end tag ends it for certain only where structure follows; an end tag
 * with text behind it may be a part of the value (a file about tool calls), and ends it only when no certain end comes.
 * A call inside it is a part of it when the value has an end of its own behind that; so is what only looks like the tag of
 * a further argument, as code that reads such tags has it.
 */
import { type Reader, skipSpace, takeUntil } from "../scan/input.ts";
import type { Session } from "../scan/session.ts";
import { endOfNested } from "./nested-calls.ts";
import type { TagRoles } from "./roles.ts";
import { isOwnEnd, type NextCall, structureBehind } from "./structure.ts";
import { findTag, type Tag, type TagStyle, tagHere } from "./tag.ts";

export interface TagValue {
  readonly text: string;
  /** How it ended: by its own tag, by other structure in its place, or not at all. */
  readonly end: "own-tag" | "other-tag" | "cut";
  /** Whether the text stood in a CDATA section, where entities are no characters. */
  readonly isSection: boolean;
}

/** Takes what belongs to the value for certain. With `restart` it is a section that is the whole value. */
export type OnPiece = (text: string, restart?: boolean) => void;

/** A value while it is read. */
interface Value {
  readonly session: Session;
  readonly style: TagStyle;
  readonly roles: TagRoles;
  readonly own: string;
  readonly onPiece: OnPiece;
  /** Set where the value may have ended: what follows may not belong to it. */
  mayHaveEnded: boolean;
  /** How many frames are open inside the value: their ends are not those of its call. */
  frames: number;
  /** Whether a section may still be the whole value: nothing but white space has come. */
  mayBeSection: boolean;
  /** Whether it begins with a line feed: then further arguments begin on lines of their own. */
  laidOut: boolean | undefined;
  /** Whether text stands on the line so far. */
  inLine: boolean;
}

/** Reads from behind the opening tag to behind the value's own end tag, or in front of other structure. */
export function* readTagValue(
  session: Session,
  style: TagStyle,
  roles: TagRoles,
  own: string,
  onPiece: OnPiece,
  cdata = true,
  nextCall?: NextCall,
): Reader<TagValue> {
  const { input } = session;
  const value: Value = {
    session,
    style,
    roles,
    own,
    onPiece,
    mayHaveEnded: false,
    frames: 0,
    mayBeSection: cdata,
    laidOut: undefined,
    inLine: false,
  };
  let first: { readonly offset: number; readonly tag: number } | undefined;
  let section: string | undefined;
  // What is held is the value: it need not be collected a second time.
  const mark = input.hold();
  let start = mark;
  const finish = (end: TagValue["end"], tagLength = 0): TagValue => {
    const text = (section ?? "") + input.rawFrom(start);
    input.pos += tagLength;
    input.release();
    return { text, end, isSection: section !== undefined };
  };
  for (;;) {
    const waits = readText(value);
    if (waits && !input.ended) {
      input.absorb = () => readText(value);
      yield;
      continue;
    }
    if (value.mayBeSection && input.stands(cdataOpen, 0)) {
      section = yield* takeSection(value);
      start = section === undefined ? mark : input.offset;
      if (section !== undefined) continue;
    }
    const tag = waits ? undefined : yield* tagHere(input, style);
    const role = tag ? roles(tag) : undefined;
    const isOwn = tag !== undefined && isOwnEnd(tag, role, own);
    if (tag && role === "frame-end" && value.frames > 0) {
      value.frames--;
    } else if (tag && (isOwn || role === "call-end" || role === "frame-end")) {
      const behind = yield* structureBehind(session, value, tag.length, nextCall);
      if (isOwn && behind) return finish("own-tag", tag.length);
      // In front of the value's own end the end of a call is a part of the value.
      if (behind && behind !== "argument-end") return finish("other-tag");
      first ??= { offset: input.offset, tag: isOwn ? tag.length : 0 };
      value.mayHaveEnded = true;
    } else if (waits || role === "call" || role === "argument" || role === "foreign-argument") {
      const end = waits || first ? undefined : yield* endOfNested(value);
      const isText = tag !== undefined && role === "foreign-argument" && isMention(value, tag);
      // The text ends behind a call that may be half of the value.
      if (end === "cut" && (role === "call" || value.frames > 0)) {
        input.pos = input.text.length;
        return finish("cut");
      }
      if (end !== undefined && end !== "cut") return finish("own-tag", end.length);
      // In front of a further argument, what stood behind the end tag can only have been a part of the value.
      if (first && (waits || role === "call")) {
        input.rewind(first.offset);
        return finish(first.tag > 0 ? "own-tag" : "other-tag", first.tag);
      }
      if (!isText) return finish(waits ? "cut" : "other-tag");
    }
    addText(value, input.pos + 1);
  }
}

/**
 * Moves over text, and over tags that mean nothing here. True when more text is needed or there is none, false in front of
 * what may end the value or be a section.
 */
function readText(value: Value): boolean {
  const { session, style, roles, own } = value;
  const { input } = session;
  const begin = style.open.charAt(0);
  for (let from = input.pos; ; ) {
    const found = input.text.indexOf(begin, from);
    addText(value, found < 0 ? input.text.length : found);
    if (found < 0) return true;
    input.short = false;
    if (value.mayBeSection && input.stands(cdataOpen, 0)) return false;
    const tag = findTag(input, style, 0);
    if (input.short) return true;
    const role = tag && roles(tag);
    if (tag && (isOwnEnd(tag, role, own) || (role !== undefined && role !== "frame"))) return false;
    if (role === "frame" && tag?.kind === "open") value.frames++;
    from = found + 1;
  }
}

/** Adds the text up to an index in the window, and moves there. */
function addText(value: Value, end: number): void {
  const { input } = value.session;
  const piece = input.text.slice(input.pos, end);
  if (piece === "") return;
  input.pos = end;
  if (!value.mayHaveEnded) value.onPiece(piece);
  value.mayBeSection &&= piece.trim() === "";
  const first = /\n|\S/.exec(piece);
  if (first) value.laidOut ??= first[0] === "\n";
  const line = piece.lastIndexOf("\n");
  value.inLine = (line < 0 && value.inLine) || piece.slice(line + 1).trim() !== "";
}

/** Whether a tag that names no argument of the tool is no tag of this call: by its name, its key or its place. */
function isMention({ own, laidOut, inLine }: Value, { name, value = "" }: Tag): boolean {
  return name !== own || !/^-?[\p{L}\p{N}_$][\p{L}\p{N}_.$-]*$/u.test(value) || (laidOut === true && inLine);
}

const cdataOpen = "<![CDATA[";

/** Takes a whole value as a CDATA section: what is in it, when nothing but an end tag follows. */
function* takeSection(value: Value): Reader<string | undefined> {
  const { session, style } = value;
  const { input } = session;
  const mark = input.hold();
  input.pos += cdataOpen.length;
  const inside = yield* takeUntil(input, "]]>");
  let follows = false;
  if (inside !== undefined) {
    yield* skipSpace(input);
    follows = (yield* tagHere(input, style))?.kind === "close";
  }
  if (!follows) input.rewind(mark);
  input.release();
  value.mayBeSection = false;
  if (!follows || inside === undefined) return undefined;
  value.onPiece(inside, true);
  return inside;
}
