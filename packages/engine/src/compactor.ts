/** Declares the interface through which the engine makes a prompt shorter. The implementation is in the package `context`. */
import type { ModelMessage, ShortenedResult } from "@localharness/protocol";

export interface Compactor {
  /**
   * Returns shorter contents for tool results, so that all messages together have at most `maxChars` characters. If that is
   * impossible, returns as many as can be shortened; empty if there are none. Must not throw.
   */
  shorten(messages: readonly ModelMessage[], maxChars: number): readonly ShortenedResult[];
}
