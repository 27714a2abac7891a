/** Keeps the prompt within the context window: estimates its tokens from the server's last count, and decides when to shorten. */
import type { ModelEvent, ModelMessage, ShortenedResult } from "@localharness/protocol";
import type { Compactor } from "../compactor.ts";

/** The share of the window above which the prompt is shortened. */
const fullShare = 0.8;
/** The share of the window that a shortened prompt may fill. */
const goalShare = 0.5;
/** The characters of one token, as a low estimate. Code and JSON have 3 to 4. */
const charsPerToken = 3;
/** The results of one request are shortened this often at most, if the server refuses it again and again. */
export const maxCompactions = 3;

export interface Room {
  /** Remembers the characters of a request that is about to be sent. */
  sending(messages: readonly ModelMessage[]): void;
  /** Learns from the server's token counts. */
  learn(event: ModelEvent): void;
  /** Returns the results to shorten before the next request; undefined if it fits, or if nothing can be shortened. */
  beforeRequest(messages: readonly ModelMessage[]): Compaction | undefined;
  /** Returns the results to shorten after the server refused a request as too long; undefined if there are none. */
  afterRefusal(messages: readonly ModelMessage[]): Compaction | undefined;
}

export interface Compaction {
  readonly shortened: readonly ShortenedResult[];
  readonly charsBefore: number;
  readonly charsAfter: number;
}

/** Creates the state of one transcript. `known` is the context window in tokens, if an earlier run has seen it. */
export function createRoom(compactor: Compactor | undefined, known: number | undefined): Room {
  let window = known;
  let sentChars = 0;
  /** The server's count of the last request in tokens, and its characters; undefined before the first count. */
  let counted: { readonly tokens: number; readonly chars: number } | undefined;

  const compact = (messages: readonly ModelMessage[], chars: number, maxChars: number) => {
    const shortened = compactor?.shorten(messages, maxChars) ?? [];
    if (shortened.length === 0) return undefined;
    return { shortened, charsBefore: chars, charsAfter: chars - savedBy(shortened, messages) };
  };

  return {
    sending(messages) {
      sentChars = charsOf(messages);
    },
    learn(event) {
      if (event.type !== "usage") return;
      window = event.contextWindow ?? window;
      if (event.inputTokens !== undefined && event.inputTokens > 0) {
        counted = { tokens: event.inputTokens, chars: sentChars };
      }
    },
    beforeRequest(messages) {
      if (compactor === undefined || window === undefined || counted === undefined) return undefined;
      const chars = charsOf(messages);
      const tokens = counted.tokens + (chars - counted.chars) / charsPerToken;
      if (tokens <= window * fullShare) return undefined;
      return compact(messages, chars, chars - (tokens - window * goalShare) * charsPerToken);
    },
    afterRefusal(messages) {
      const chars = charsOf(messages);
      const half = chars / 2;
      return compact(
        messages,
        chars,
        window === undefined ? half : Math.min(half, window * goalShare * charsPerToken),
      );
    },
  };
}

function charsOf(messages: readonly ModelMessage[]): number {
  let chars = 0;
  for (const message of messages) {
    chars += message.content.length;
    if (message.role !== "assistant") continue;
    for (const { arguments: args } of message.toolCalls ?? []) {
      chars += (typeof args === "string" ? args : JSON.stringify(args)).length;
    }
  }
  return chars;
}

function savedBy(shortened: readonly ShortenedResult[], messages: readonly ModelMessage[]): number {
  const contents = new Map(shortened.map(({ callId, content }) => [callId, content]));
  let saved = 0;
  for (const message of messages) {
    const content = message.role === "tool" ? contents.get(message.toolCallId) : undefined;
    if (content !== undefined) saved += message.content.length - content.length;
  }
  return saved;
}
