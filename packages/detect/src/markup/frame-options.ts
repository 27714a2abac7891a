/** Declares what a tag-per-argument format says of its tags. */
import type { Standing } from "../scan/session.ts";
import type { FormatId } from "../types.ts";
import type { TagStyle } from "./tag.ts";
import type { Untyped } from "./type-text.ts";
import type { NextCall } from "./value-end.ts";

export interface TagFrame {
  readonly open: string;
  readonly format: FormatId;
  readonly style: TagStyle;
  /** Names of the tags that frame the calls. */
  readonly frames: readonly string[];
  /** The opener is the tag of the call itself, without a frame around it. */
  readonly bare?: boolean;
  readonly untyped?: Untyped;
  /** Values are XML text: entities stand for characters. */
  readonly entities?: boolean;
  /** Several arguments of one name are a list; otherwise the last one counts. */
  readonly repeats?: boolean;
  readonly standing?: Standing;
  /** A line feed inside the tags belongs to the value. */
  readonly keepsLayout?: boolean;
  /** Every tag inside a call is an argument named like it; tags inside it are objects and lists. */
  readonly keyTags?: boolean;
  /** A call with arguments that the tool does not have, or without those it requires, is refused. */
  readonly strict?: boolean;
  /** For calls without a frame: tells whether the next call begins at this distance ahead; it certainly ends the value before it. */
  readonly nextCall?: NextCall;
}
