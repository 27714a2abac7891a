/**
 * Reads the value of an argument between tags. An end tag ends it for certain only where structure follows; an end tag
 * with text behind it may be a part of the value (a file about tool calls), and ends it only when no certain end comes.
 */
import { at, isSpace, peek, type Reader, skipSpace, takeUntil } from "../scan/input.ts";
import type { Session } from "../scan/session.ts";
import type { TagRoles } from "./roles.ts";
import { type Tag, type TagStyle, tagHere } from "./tag.ts";

export interface TagValue {
  readonly text: string;
  /** How it ended: by its own tag, by other structure in its place, or not at all. */
  readonly end: "own-tag" | "other-tag" | "cut";
}

/** Whether another call begins so far ahead, in a way that the roles of the tags do not tell. */
export type NextCall = (session: Session, ahead: number) => Reader<boolean>;

/** Reads from behind the opening tag to behind the value's own end tag, or in front of other structure. */
export function* readTagValue(
  session: Session,
  style: TagStyle,
  roles: TagRoles,
  own: string,
  onPiece: (text: string) => void,
  cdata = true,
  nextCall?: NextCall,
): Reader<TagValue> {
  const { input } = session;
  let text = "";
  let blank = true;
  let first: { readonly offset: number; readonly length: number; readonly tag: number } | undefined;
  const mark = input.hold();
  const finish = (end: TagValue["end"]): TagValue => {
    input.release();
    return { text, end };
  };
  for (;;) {
    const piece = yield* readToTag(session, style);
    if (piece !== "") {
      onPiece(piece);
      text += piece;
      // The text itself is not looked at again: that would take time in its length, each time.
      blank &&= piece.trim() === "";
    }
    const code = yield* peek(input);
    if (cdata && blank && (yield* at(input, cdataOpen))) {
      const inside = yield* readCdata(session, style);
      if (inside !== undefined) {
        onPiece(inside);
        text = inside;
        blank = false;
        continue;
      }
    }
    const tag: Tag | undefined = code === -1 ? undefined : yield* tagHere(input, style);
    const role = tag ? roles(tag) : undefined;
    const isOwn = role === "argument-end" || (tag?.kind === "close" && tag.name === own);
    const stops = role === "call" || role === "argument" || code === -1;
    if (tag && (isOwn || role === "call-end" || role === "frame-end")) {
      if (yield* structureFollows(session, style, roles, tag.length, nextCall)) {
        if (isOwn) input.pos += tag.length;
        return finish(isOwn ? "own-tag" : "other-tag");
      }
      first ??= { offset: input.offset, length: text.length, tag: isOwn ? tag.length : 0 };
    } else if (stops) {
      // In front of a further argument, what stood behind the end tag can only have been a part of the value.
      if (first && role !== "argument") {
        input.rewind(Math.max(mark, first.offset));
        input.pos += first.tag;
        text = text.slice(0, first.length);
        return finish(first.tag > 0 ? "own-tag" : "other-tag");
      }
      return finish(code === -1 ? "cut" : "other-tag");
    }
    blank = false;
    text += input.text.charAt(input.pos);
    onPiece(input.text.charAt(input.pos));
    input.pos++;
  }
}

const cdataOpen = "<![CDATA[";

/** A whole value as a CDATA section: what is in it, when nothing but an end tag follows. */
function* readCdata(session: Session, style: TagStyle): Reader<string | undefined> {
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
  return follows ? inside : undefined;
}

/** Text up to the next character that could begin a tag, as much as is in the window. */
function* readToTag(session: Session, style: TagStyle): Reader<string> {
  const { input } = session;
  if ((yield* peek(input)) === -1) return "";
  const found = input.text.indexOf(style.open.charAt(0), input.pos);
  const end = found < 0 ? input.text.length : found;
  const piece = input.text.slice(input.pos, end);
  input.pos = end;
  return piece;
}

/** Whether only white space stands between the tag here and other structure or the end of the text. */
function* structureFollows(
  session: Session,
  style: TagStyle,
  roles: TagRoles,
  tagLength: number,
  nextCall: NextCall | undefined,
): Reader<boolean> {
  const { input } = session;
  let ahead = tagLength;
  while (ahead < tagLength + 80 && isSpace(yield* peek(input, ahead))) ahead++;
  if ((yield* peek(input, ahead)) === -1) return true;
  const next = yield* tagHere(input, style, ahead);
  if (next !== undefined && roles(next) !== undefined) return true;
  return nextCall !== undefined && (yield* nextCall(session, ahead));
}
