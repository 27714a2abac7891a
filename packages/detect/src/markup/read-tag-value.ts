/**
 * Reads the value of an argument between tags. The policy in `value-end.ts` decides where it ends. Text that certainly belongs to
 * the value is passed on while it comes.
 */
import { type Reader, skipSpace, takeUntil } from "../scan/input.ts";
import { endOfNested } from "./nested-calls.ts";
import { findTag, type Tag, tagHere } from "./tag.ts";
import { isExhausted, isOwnEnd, type Looking, structureAfter, type ValueTags } from "./value-end.ts";

export interface TagValue {
  readonly text: string;
  /** The way in which the value ended: by its own tag, by the end tag of its key, by other structure, or not at all. */
  readonly end: "own-tag" | "key-tag" | "other-tag" | "cut";
  /** True if the end tag contains more than its name. */
  readonly hasWords: boolean;
  /** True for the text of a CDATA section, in which character references are not decoded. */
  readonly isSection: boolean;
}

/** Receives text that certainly belongs to the value. With `restart` it is a CDATA section, which replaces earlier text. */
export type OnPiece = (text: string, restart?: boolean) => void;

interface Value extends ValueTags {
  readonly looking: Looking;
  readonly onPiece: OnPiece | undefined;
  /** The offset where its text begins. */
  start: number;
  /** The place where the value may have ended: at its own end tag, or at the end tag of the call (`tag` is then undefined). */
  mayEnd: { readonly offset: number; readonly tag: Tag | undefined } | undefined;
  /** The number of frames that are open inside the value. The next end tags of a frame belong to them. */
  frames: number;
  /** True while a CDATA section may be the whole value, because only white space has come before it. */
  mayBeSection: boolean;
  /**
   * True if the first line of the value has only white space: then the tag of another argument also begins a line. Undefined
   * until that is known.
   */
  laidOut: boolean | undefined;
  /** True if the current line has text. */
  inLine: boolean;
  /** The offset of the first tag in the value; -1 for none. */
  firstTag: number;
  /** True if too much was read in search of missing ends (`isExhausted`): then the value ends at the first tag. */
  readonly endsAtTag: boolean;
}

/** Reads a value after its opening tag. Moves past its own end tag, or stops before other structure. */
export function* readTagValue(looking: Looking, tags: ValueTags, onPiece?: OnPiece): Reader<TagValue> {
  const { input } = looking;
  const value: Value = {
    ...tags,
    looking,
    onPiece,
    // The hold makes the input keep the text from here on.
    start: input.hold(),
    mayEnd: undefined,
    frames: 0,
    mayBeSection: tags.ends.sections,
    laidOut: undefined,
    inLine: false,
    firstTag: -1,
    endsAtTag: tags.ends.missing === "first-tag" && isExhausted(looking),
  };
  let section: string | undefined;
  for (let step: TagValueEnd | undefined; ; ) {
    const waits = readText(value);
    if (waits && !input.ended) {
      input.absorb = () => readText(value);
      yield;
      continue;
    }
    if (value.mayBeSection && input.stands(cdataOpen, 0)) {
      section = yield* takeSection(value);
      if (section !== undefined) {
        value.start = input.offset;
        continue;
      }
    }
    const tag = waits ? undefined : yield* tagHere(input, value.style);
    step = yield* stepAt(value, tag);
    if (step === undefined) {
      addText(value, input.pos + 1);
      continue;
    }
    const text = (section ?? "") + input.rawFrom(value.start);
    input.pos += step.tag?.length ?? 0;
    input.release();
    const hasWords = step.tag !== undefined && (step.tag.value !== undefined || step.tag.attributes.size > 0);
    return { text, end: step.end, hasWords, isSection: section !== undefined };
  }
}

/** The way in which a value ends, with its own end tag if it has one. */
interface TagValueEnd {
  readonly end: TagValue["end"];
  readonly tag?: Tag;
}

/** Returns how the value ends at the tag here, or at the end of the text; undefined if the tag is a part of the value. */
function* stepAt(value: Value, tag: Tag | undefined): Reader<TagValueEnd | undefined> {
  const { looking, roles, own, ends } = value;
  const { input } = looking;
  const role = tag && roles(tag);
  if (tag && isOwnEnd(tag, role, own)) {
    if (ends.certainBy !== "structure") return { end: "own-tag", tag };
    const after = yield* structureAfter(input, value, tag.length);
    if (after) return { end: "own-tag", tag };
    value.mayEnd ??= { offset: input.offset, tag };
    return undefined;
  }
  if (value.endsAtTag && tag) return { end: "other-tag" };
  if (tag && role === "key-end") {
    const after = yield* structureAfter(input, value, tag.length);
    const isEnd = after !== undefined && after !== "argument-end" && value.mayEnd === undefined;
    return isEnd ? { end: "key-tag", tag } : undefined;
  }
  if (tag && role === "frame-end" && value.frames > 0 && ends.certainBy !== "itself") {
    value.frames -= 1;
    return undefined;
  }
  if (tag && (role === "call-end" || role === "frame-end")) return yield* atCallEnd(value, tag);
  if (tag === undefined ? !input.ended || input.pos < input.text.length : role === undefined) {
    return undefined;
  }
  return yield* atStructure(value, tag);
}

function* atCallEnd(value: Value, tag: Tag): Reader<TagValueEnd | undefined> {
  const { looking, ends } = value;
  if (ends.callEnd === "look-ahead") {
    const end = yield* endOfNested(value, tag.length);
    if (end === "cut" && holdsCallEnd(value, tag)) {
      addText(value, looking.input.text.length);
      return { end };
    }
    return end === undefined || end === "cut" ? endInDoubt(value) : { end: "own-tag", tag: end };
  }
  const after = yield* structureAfter(looking.input, value, tag.length);
  // If the value's own end follows, the end of a call is a part of the value.
  if (ends.callEnd === "ends" || (after && after !== "argument-end")) return endInDoubt(value);
  value.mayEnd ??= { offset: looking.input.offset, tag: undefined };
  return undefined;
}

/** Returns true if this end of a Gemma call is text: a call began in the value, or text follows and no `}` precedes. */
function holdsCallEnd({ looking: { input }, ends, start, frames }: Value, tag: Tag): boolean {
  if (ends.closers === undefined || frames > 0) return frames > 0 && ends.closers !== undefined;
  const isLast = input.text.slice(input.pos + tag.length).trim() === "";
  return !isLast && !input.rawFrom(start).endsWith(ends.closers.call);
}

/** Returns how the value ends at a tag of a call or an argument, or at the end of the text. */
function* atStructure(value: Value, tag: Tag | undefined): Reader<TagValueEnd | undefined> {
  const { looking, roles, ends, mayEnd } = value;
  const { input } = looking;
  const role = tag && roles(tag);
  const looks = tag !== undefined && (mayEnd === undefined || ends.doubtful === "end");
  const end = looks ? yield* endOfNested(value) : undefined;
  if (end !== undefined && end !== "cut") {
    return end.length === 0 ? { end: "other-tag" } : { end: "own-tag", tag: end };
  }
  // The text ends after a call that may be a part of the value.
  if (end === "cut" && ends.textEnd === "cut" && (role === "call" || value.frames > 0)) {
    input.pos = input.text.length;
    return { end: "cut" };
  }
  if (role === "inner") return undefined;
  const isText = tag !== undefined && role === "foreign-argument" && isMention(value, tag);
  // If another argument follows, the text after the earlier end tag was a part of the value.
  if (mayEnd && (tag === undefined || role === "call")) return goBack(value, mayEnd);
  if (isText) return undefined;
  return tag === undefined && ends.textEnd === "cut" ? { end: "cut" } : endInDoubt(value);
}

/** Returns the end of a value that has no certain end, and moves there. */
function endInDoubt(value: Value): TagValueEnd {
  const { looking, ends, mayEnd, firstTag } = value;
  if (mayEnd && ends.doubtful === "end") return goBack(value, mayEnd);
  if (ends.missing === "first-tag" && firstTag >= 0) {
    looking.lookedInVain += looking.input.offset - firstTag;
    looking.input.rewind(firstTag);
  }
  return { end: "other-tag" };
}

function goBack({ looking }: Value, { offset, tag }: NonNullable<Value["mayEnd"]>): TagValueEnd {
  looking.input.rewind(offset);
  return tag ? { end: "own-tag", tag } : { end: "other-tag" };
}

/**
 * Moves over text, and over tags without a meaning here. Returns true if more text is needed, or if the text has ended. Returns
 * false before a tag that may end the value, or before a CDATA section.
 */
function readText(value: Value): boolean {
  const { looking, style, roles, own } = value;
  const { input } = looking;
  const begin = style.open.charAt(0);
  for (let from = input.pos; ; ) {
    const found = input.text.indexOf(begin, from);
    addText(value, found < 0 ? input.text.length : found);
    if (found < 0) return true;
    input.short = false;
    if (value.mayBeSection && input.stands(cdataOpen, 0)) return false;
    const tag = findTag(input, style, 0);
    if (input.short) return true;
    if (tag && value.firstTag < 0) value.firstTag = input.offset;
    const role = tag && roles(tag);
    if (tag && (value.endsAtTag || isOwnEnd(tag, role, own) || (role !== undefined && role !== "frame"))) {
      return false;
    }
    if (role === "frame" && tag?.kind === "open") value.frames += 1;
    from = found + 1;
  }
}

/** Moves to an index in the window. Passes the text before it to `onPiece`, unless the value may have ended earlier. */
function addText(value: Value, end: number): void {
  const { input } = value.looking;
  const piece = input.text.slice(input.pos, end);
  if (piece === "") return;
  input.pos = end;
  if (!value.mayEnd) value.onPiece?.(piece);
  value.mayBeSection &&= piece.trim() === "";
  if (value.laidOut === undefined) {
    const first = /\n|\S/.exec(piece);
    if (first) value.laidOut = first[0] === "\n";
  }
  const line = piece.lastIndexOf("\n");
  value.inLine = (line < 0 && value.inLine) || piece.slice(line + 1).trim() !== "";
}

/** Returns true if a tag with an unknown argument is text and not a tag of this call, by its name, its key and its place. */
function isMention({ own, laidOut, inLine, looking, start }: Value, { name, value = "" }: Tag): boolean {
  if (name !== own || !/^-?[\p{L}\p{N}_$][\p{L}\p{N}_.$-]*$/u.test(value)) return true;
  const { input } = looking;
  const isApart = input.offset > start && /\s$/.test(input.rawFrom(input.offset - 1));
  return inLine && (laidOut === true || isApart);
}

const cdataOpen = "<![CDATA[";

/** Returns the content of a CDATA section before an end tag; otherwise moves back to the section and returns undefined. */
function* takeSection(value: Value): Reader<string | undefined> {
  const { looking, style } = value;
  const { input } = looking;
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
  value.firstTag = -1;
  value.onPiece?.(inside, true);
  return inside;
}
