/**
 * Where a value between tags or tokens ends: one policy for all formats. Its own end tag ends it for certain when structure follows:
 * other tags of the call, or the end of the text. What the formats answer differently is data:
 *
 *     question                                              tags        pairs (GLM)   texts in XML   other elements in XML   texts of Gemma
 *     can a CDATA section be the whole value?               yes         no            yes            yes                     no
 *     what makes its own end tag certain?                   structure   structure     structure      the balance of names    nothing more
 *     an own end tag with text after it, then structure?    a part      a part        the end        (always certain)        (always certain)
 *     does the end tag of its call end it?                  structure   structure     look ahead     yes                     look ahead
 *     where does it end when its end tag is missing?        structure   structure     first tag      first tag               the call's end
 *     can remarks stand between its end and structure?      no          no            yes            yes                     no
 *     and when the text ends in it?                         cut         cut           cut, but not in a text that is whole   cut
 *
 * In all of them a call inside the value, or the tag of a further argument, is a part of the value when all that is opened is closed
 * again and the value's own end follows (`nested-calls.ts`). How far readers look for that in vain is limited for the whole reply.
 */
import { hyphen } from "../scan/characters.ts";
import { at, type Input, peek, type Reader, spaceEnd } from "../scan/input.ts";
import type { TagRole, TagRoles } from "./roles.ts";
import { type Tag, type TagStyle, tagHere } from "./tag.ts";

/** How the values of a format end: a column of the table above. */
export interface ValueEnd {
  /** True if a CDATA section can be the whole value. */
  readonly sections: boolean;
  /** `itself`: the end looks like the beginning, so that nothing nests and the first one ends the value. */
  readonly certainBy: "structure" | "balance" | "itself";
  /** The meaning of an own end tag that text follows, when structure follows later. */
  readonly doubtful: "part" | "end";
  /** When the end tag of its call ends the value: if structure follows, if no own end follows, or always. */
  readonly callEnd: "structure" | "look-ahead" | "ends";
  /** Where it ends without its end tag. */
  readonly missing: "structure" | "first-tag";
  /** The meaning of a value in which the text ends. */
  readonly textEnd: "cut" | "ends";
  /** True if remarks may occur between its end tag and structure. */
  readonly remarks: boolean;
  /** It is an item of a list that may hold a text of the item's name: without an end tag it ends where the next item begins. */
  readonly isItem?: boolean;
  /** The characters that alone are structure after its end, and the one that ends a call before the call's own end. */
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

/** Tells whether another call begins at this distance ahead, in a way that the tags' roles do not show. */
export type NextCall = (ahead: number) => Reader<boolean>;

/** The text that is read, and how many characters of it have been looked at for ends that are not there. */
export interface Looking {
  readonly input: Input;
  lookedInVain: number;
}

/** The tags that a value stands between, and how it ends. */
export interface ValueTags {
  readonly style: TagStyle;
  readonly roles: TagRoles;
  /** The name of the value's tag. */
  readonly own: string;
  readonly ends: ValueEnd;
  readonly nextCall?: NextCall | undefined;
}

/** Text may be looked at in vain up to this many times its length, so that time stays linear. */
const lookFactor = 4;
const lookFloor = 65_536;

/** Tells whether so much has been looked at in vain that nothing is looked for any more. */
export function isExhausted({ input, lookedInVain }: Looking): boolean {
  return lookedInVain > lookFloor + lookFactor * input.offset;
}

export function isOwnEnd(tag: Tag, role: TagRole | undefined, own: string): boolean {
  return role === "argument-end" || (tag.kind === "close" && tag.name === own);
}

/** Returns what follows the tag here with only white space between: other structure, or the end of the text. */
export function* structureAfter(
  input: Input,
  { style, roles, own, nextCall, ends }: ValueTags,
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
  return nextCall !== undefined && (yield* nextCall(ahead)) ? "call" : undefined;
}

/** Maximum length of a remark that is skipped. */
const maxRemark = 1000;

function* remarkEnd(input: Input, start: number): Reader<number | undefined> {
  for (let ahead = start + 4; ahead < start + maxRemark; ahead += 1) {
    const code = yield* peek(input, ahead);
    if (code === -1) return undefined;
    if (code === hyphen && (yield* at(input, "-->", ahead))) return ahead + 3;
  }
  return undefined;
}

/** Tells whether the own end tag here ends the value for certain. */
export function* isCertainEnd(input: Input, value: ValueTags, tagLength: number): Reader<boolean> {
  return value.ends.certainBy === "balance" || (yield* structureAfter(input, value, tagLength)) !== undefined;
}
