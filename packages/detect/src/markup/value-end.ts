/**
 * Decides where a value between tags or tokens ends, with one policy for all formats. Its own end tag certainly ends it if
 * structure follows: another tag of the call, or the end of the text. The formats give different answers to these questions:
 *
 *     question                                      tags        pairs (GLM)   XML texts    other XML elements   Gemma texts
 *     can a CDATA section be the whole value?       yes         no            yes          yes                  no
 *     what makes its own end tag certain?           structure   structure     structure    balanced names       nothing more
 *     own end tag, then text, then structure?       part        part          end          (always certain)     (always certain)
 *     does the end tag of its call end it?          structure   structure     look ahead   yes                  look ahead
 *     where does it end if its end tag is missing?  structure   structure     first tag    first tag            end of the call
 *     can comments precede the structure?           no          no            yes          yes                  no
 *     and if the text ends inside it?               cut         cut           cut (*)      cut (*)              cut
 *
 * (*) An element inside another element ends where the outer element ends. In all formats a call inside the value, or the
 * tag of another argument, is a part of the value if each tag that opens is closed again and the value's own end follows
 * (`nested-calls.ts`).
 */
import { hyphen } from "../scan/characters.ts";
import { at, type Input, peek, type Reader, spaceEnd } from "../scan/input.ts";
import type { TagRole, TagRoles } from "./roles.ts";
import { type Tag, type TagStyle, tagHere } from "./tag.ts";

/** The answers of one format: a column of the table above. */
export interface ValueEnd {
  /** True if a CDATA section can be the whole value. */
  readonly sections: boolean;
  /** With `itself` the end is the same literal as the beginning, so values cannot nest, and the first end is certain. */
  readonly certainBy: "structure" | "balance" | "itself";
  /** The meaning of an own end tag with text after it, if structure follows later. */
  readonly doubtful: "part" | "end";
  /** The condition on which the end tag of its call ends the value: structure follows, no own end follows, or always. */
  readonly callEnd: "structure" | "look-ahead" | "ends";
  /** The place where a value ends if its end tag is missing. */
  readonly missing: "structure" | "first-tag";
  /** The meaning of a text that ends inside the value. */
  readonly textEnd: "cut" | "ends";
  /** True if comments (`<!-- -->`) may be between its end tag and structure. */
  readonly remarks: boolean;
  /** True for a list item that may contain a text with its own name. Without an end tag it ends where the next item begins. */
  readonly isItem?: boolean;
  /** For Gemma: the only characters that are structure after a value's end, and the character that closes a call. */
  readonly closers?: { readonly after: string; readonly call: string };
}

export const taggedValue: ValueEnd = {
  sections: true,
  certainBy: "structure",
  doubtful: "part",
  callEnd: "structure",
  missing: "structure",
  textEnd: "cut",
  remarks: false,
};

export const pairValue: ValueEnd = { ...taggedValue, sections: false };

export const xmlText: ValueEnd = {
  ...taggedValue,
  doubtful: "end",
  callEnd: "look-ahead",
  missing: "first-tag",
  remarks: true,
};

export const xmlElement: ValueEnd = { ...xmlText, certainBy: "balance", callEnd: "ends" };

export const tokenText: ValueEnd = {
  ...taggedValue,
  sections: false,
  certainBy: "itself",
  callEnd: "look-ahead",
  closers: { after: ",}]", call: "}" },
};

/** Returns true if another call begins at the distance `ahead`, for calls that do not begin with a tag. */
export type NextCall = (ahead: number) => Reader<boolean>;

/** The input, and the number of characters that were searched for missing ends. */
export interface Looking {
  readonly input: Input;
  lookedInVain: number;
}

/** The tags around a value, and the rules for its end. */
export interface ValueTags {
  readonly style: TagStyle;
  readonly roles: TagRoles;
  /** The name of the value's tag. */
  readonly own: string;
  readonly ends: ValueEnd;
  readonly nextCall?: NextCall | undefined;
  /** True if any tag that opens after the value's end is the next argument. */
  readonly keyTags?: boolean | undefined;
}

/** The search for missing ends may read up to this many times the length of the text, so that time stays linear. */
const lookFactor = 4;
/** The number of characters that this search may read in addition to the limit of `lookFactor`. */
const lookFloor = 65_536;

/** Returns true if so much text was searched in vain that no more ends are looked for. */
export function isExhausted({ input, lookedInVain }: Looking): boolean {
  return lookedInVain > lookFloor + lookFactor * input.offset;
}

export function isOwnEnd(tag: Tag, role: TagRole | undefined, own: string): boolean {
  return role === "argument-end" || (tag.kind === "close" && tag.name === own);
}

/** Returns the structure after the tag here and white space: a role, `end` for the end of the text, else undefined. */
export function* structureAfter(
  input: Input,
  { style, roles, own, nextCall, ends, keyTags }: ValueTags,
  tagLength: number,
): Reader<TagRole | "end" | undefined> {
  let ahead = yield* spaceEnd(input, tagLength, 80);
  while (ends.remarks && (yield* at(input, "<!--", ahead))) {
    const end = yield* remarkEnd(input, ahead);
    if (end === undefined) return undefined;
    ahead = yield* spaceEnd(input, end, 80);
  }
  const code = yield* peek(input, ahead);
  if (code === -1) return "end";
  if (ends.closers) return ends.closers.after.includes(String.fromCharCode(code)) ? "argument" : undefined;
  const next = yield* tagHere(input, style, ahead);
  const role = next && roles(next);
  if (next && isOwnEnd(next, role, own)) return "argument-end";
  if (role !== undefined) return role;
  if (keyTags && next && next.kind !== "close") return "argument";
  return nextCall !== undefined && (yield* nextCall(ahead)) ? "call" : undefined;
}

/** The maximum length of a comment that is skipped, in characters. */
const maxRemark = 1000;

function* remarkEnd(input: Input, start: number): Reader<number | undefined> {
  for (let ahead = start + 4; ahead < start + maxRemark; ahead += 1) {
    const code = yield* peek(input, ahead);
    if (code === -1) return undefined;
    if (code === hyphen && (yield* at(input, "-->", ahead))) return ahead + 3;
  }
  return undefined;
}

/** Returns true if the own end tag here certainly ends the value. */
export function* isCertainEnd(input: Input, value: ValueTags, tagLength: number): Reader<boolean> {
  return value.ends.certainBy === "balance" || (yield* structureAfter(input, value, tagLength)) !== undefined;
}
