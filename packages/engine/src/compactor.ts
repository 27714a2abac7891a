/** Declares the interface through which the engine makes a prompt shorter. The implementation is in the package `context`. */
import type { FoldedMessages, ModelMessage, ShortenedResult } from "@localharness/protocol";
import type { LeftOut } from "./session/sent-messages.ts";

/** What a compaction leaves out, in addition to earlier compactions. `folded` replaces an earlier `folded`. */
export interface Omission {
  readonly shortened: readonly ShortenedResult[];
  readonly folded?: FoldedMessages;
}

export interface Compactor {
  /**
   * Returns the parts of `whole` to leave out in addition to `before`, so that the messages of the next request have at
   * most `maxChars` characters. If that is impossible, returns everything that can be left out. Returns undefined if
   * nothing can or need be left out. Calls of the last answer may have no result yet. `keep` says, in the person's words,
   * what the model must keep in mind. Must not throw.
   */
  compact(
    whole: readonly ModelMessage[],
    before: LeftOut,
    maxChars: number,
    keep?: string,
  ): Omission | undefined;
}
