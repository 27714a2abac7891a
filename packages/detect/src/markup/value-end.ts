/**
 * Where a value between tags ends: one policy for all formats that write values between tags. An end tag of its own ends a value for
 * certain where structure follows it: other tags of the call, or the end of the text. What the formats answer differently is data:
 *
 *     question                                              tags        pairs (GLM)   texts in XML   other elements in XML
 *     can a CDATA section be the whole value?               yes         no            yes            yes
 *     what makes its own end tag certain?                   structure   structure     structure      the balance of its name
 *     an own end tag with text after it, then structure?    a part      a part        the end        (always certain)
 *     does the end tag of its call end it?                  structure   structure     look ahead     yes
 *     where does it end when its end tag is missing?        structure   structure     first tag      first tag
 *     can remarks stand between its end and structure?      no          no            yes            yes
 *     and when the text ends in it?                         cut         cut           cut, but not in a text that is whole
 *
 * In all of them a call inside the value, or a tag of a further argument, is a part of the value when all that is opened is closed
 * again and the value's own end follows (`nested-calls.ts`); how far is looked for that in vain is limited for the whole reply.
 */
import { at, type Input, peek, type Reader, spaceEnd } from "../scan/input.ts";
import type { TagRole, TagRoles } from "./roles.ts";
import { type Tag, type TagStyle, tagHere } from "./tag.ts";

/** How the values of a format end: a column of the table above. */
export interface ValueEnd {
  readonly sections: boolean;
  readonly certainBy: "structure" | "balance";
  /** What an own end tag with text after it is, when structure follows later. */
  readonly doubtful: "part" | "end";
  readonly callEnd: "structure" | "look-ahead" | "ends";
  readonly missing: "structure" | "first-tag";
  readonly textEnd: "cut" | "ends";
  /** Whether remarks may stand between its end tag and structure. */
  readonly remarks: boolean;
  /** It is an item of a list that may hold a text of the item's name: without an end tag it ends where the next item begins. */
  readonly isItem?: boolean;
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

/** Whether another call begins so far ahead, in a way that the roles of the tags do not tell. */
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
  /** The name of its own tag. */
  readonly own: string;
  readonly ends: ValueEnd;
  readonly nextCall?: NextCall | undefined;
}

/** Text may be looked at in vain up to this many times its length, so that time stays linear. */
const lookFactor = 4;
const lookFloor = 65_536;

/** Whether so much has been looked at in vain that nothing is looked for any more. */
export function isExhausted({ input, lookedInVain }: Looking): boolean {
  return lookedInVain > lookFloor + lookFactor * input.offset;
}

export function isOwnEnd(tag: Tag, role: TagRole | undefined, own: string): boolean {
  return role === "argument-end" || (tag.kind === "close" && tag.name === own);
}

/** What follows the tag here with only white space between: other structure, or the end of the text. */
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
  if ((yield* peek(input, ahead)) === -1) return "end";
  const next = yield* tagHere(input, style, ahead);
  const role = next && roles(next);
  if (next && isOwnEnd(next, role, own)) return "argument-end";
  if (role !== undefined) return role;
  return nextCall !== undefined && (yield* nextCall(ahead)) ? "call" : undefined;
}

/** Longer remarks are not looked over. */
const maxRemark = 1000;

function* remarkEnd(input: Input, start: number): Reader<number | undefined> {
  for (let ahead = start + 4; ahead < start + maxRemark; ahead++) {
    const code = yield* peek(input, ahead);
    if (code === -1) return undefined;
    if (code === 45 && (yield* at(input, "-->", ahead))) return ahead + 3;
  }
  return undefined;
}

/** Whether the own end tag here ends the value for certain. */
export function* isCertainEnd(input: Input, value: ValueTags, tagLength: number): Reader<boolean> {
  return value.ends.certainBy === "balance" || (yield* structureAfter(input, value, tagLength)) !== undefined;
}
