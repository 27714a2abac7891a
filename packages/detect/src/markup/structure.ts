/** What of the tags around and inside a value belongs to the call. */
import { isSpace, peek, type Reader } from "../scan/input.ts";
import type { Session } from "../scan/session.ts";
import type { TagRole, TagRoles } from "./roles.ts";
import { type Tag, type TagStyle, tagHere } from "./tag.ts";

/** Whether another call begins so far ahead, in a way that the roles of the tags do not tell. */
export type NextCall = (session: Session, ahead: number) => Reader<boolean>;

/** The tags that a value stands between. */
export interface ValueTags {
  readonly style: TagStyle;
  readonly roles: TagRoles;
  /** The name of its own. */
  readonly own: string;
}

export function isOwnEnd(tag: Tag, role: TagRole | undefined, own: string): boolean {
  return role === "argument-end" || (tag.kind === "close" && tag.name === own);
}

/** What stands behind the tag here with only white space between: other structure, or the end of the text. */
export function* structureBehind(
  session: Session,
  { style, roles, own }: ValueTags,
  tagLength: number,
  nextCall?: NextCall,
): Reader<TagRole | "end" | undefined> {
  const { input } = session;
  let ahead = tagLength;
  while (ahead < tagLength + 80 && isSpace(yield* peek(input, ahead))) ahead++;
  if ((yield* peek(input, ahead)) === -1) return "end";
  const next = yield* tagHere(input, style, ahead);
  const role = next && roles(next);
  if (next && isOwnEnd(next, role, own)) return "argument-end";
  if (role !== undefined) return role;
  return nextCall !== undefined && (yield* nextCall(session, ahead)) ? "call" : undefined;
}
