/** Declares the options of formats with one tag per argument. */
import type { Standing } from "../scan/scan.ts";
import type { FormatId } from "../types.ts";
import type { TagStyle } from "./tag.ts";
import type { Untyped } from "./type-text.ts";
import type { NextCall } from "./value-end.ts";

export interface TagFrame {
  readonly open: string;
  readonly format: FormatId;
  readonly style: TagStyle;
  /** The names of the tags around calls. */
  readonly frames: readonly string[];
  /** True if `open` is the tag of the call itself, without a frame. */
  readonly bare?: boolean;
  /** A part of the names of models whose format has another frame. Their calls in this frame are errors. */
  readonly refusedBy?: string;
  readonly untyped?: Untyped;
  /** True if values are XML text, in which character references are decoded. */
  readonly entities?: boolean;
  /** True if several arguments with one name become a list; otherwise the last one is used. */
  readonly repeats?: boolean;
  readonly standing?: Standing;
  /** True if a line feed directly inside the tags belongs to the value. */
  readonly keepsLayout?: boolean;
  /** True if each tag inside a call is an argument with the name of the tag. Tags inside an argument are objects and lists. */
  readonly keyTags?: boolean;
  /** True if arguments that the tool does not have are dropped, and a call without a required one is an error. */
  readonly strict?: boolean;
  /** For calls without a frame: returns true if the next call, which ends the value before it, begins at the given distance. */
  readonly nextCall?: NextCall;
}
