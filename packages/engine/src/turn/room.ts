/** Keeps the prompt within the context window: estimates its tokens from the server's last count, and decides when to shorten. */
import type { ModelEvent, ModelMessage } from "@localharness/protocol";
import type { Compactor, Omission } from "../compactor.ts";
import { type LeftOut, promptChars, sentMessages } from "../session/sent-messages.ts";

/** The share of the window above which the prompt is shortened. */
const fullShare = 0.8;
/** The share of the window that a shortened prompt may fill. */
const goalShare = 0.5;
/** The characters of one token before the server has counted. Code and JSON have 3 to 4, Chinese text about 1. */
const defaultCharsPerToken = 3;
const minCharsPerToken = 0.5;
/** The growth between two counts, in tokens, from which the characters of a token are measured. */
const measuredTokens = 200;
/** The maximum number of compactions for one request, if the server refuses it again and again. */
export const maxCompactions = 3;

/** The messages of a transcript. */
export interface RoomParts {
  /** Returns the messages, each of them whole. */
  messages(): readonly ModelMessage[];
  /** Returns the messages of the next request. */
  sentMessages(): readonly ModelMessage[];
  leftOut(): LeftOut;
  view(): { readonly usage: { readonly contextWindow?: number } };
}

export interface Room {
  /** Remembers the size of the request that is about to be sent. */
  sending(): void;
  /** Learns from the server's token counts. */
  learn(event: ModelEvent): void;
  /** Returns what to leave out of the next request; undefined if it fits, or if nothing can be left out. */
  beforeRequest(): Compaction | undefined;
  /** Returns what to leave out after the server refused a request as too long; undefined if that is nothing. */
  afterRefusal(): Compaction | undefined;
}

/** What is left out, and the characters of all messages before and after. */
export interface Compaction extends Omission {
  readonly charsBefore: number;
  readonly charsAfter: number;
}

/** Creates the state of one transcript. Without a `compactor`, nothing is ever left out. */
export function createRoom(compactor: Compactor | undefined, parts: RoomParts): Room {
  let window = parts.view().usage.contextWindow;
  let sentChars = 0;
  /** The server's count of the last request in tokens, and its characters; undefined before the first count. */
  let counted: Count | undefined;
  let charsPerToken = defaultCharsPerToken;

  function compact(charsBefore: number, maxChars: number): Compaction | undefined {
    const before = parts.leftOut();
    const omission = compactor?.compact(parts.messages(), before, maxChars);
    if (omission === undefined) return undefined;
    const contents = omission.shortened.map(({ callId, content }) => [callId, content] as const);
    const shortened = { ...before.shortened, ...Object.fromEntries(contents) };
    const after = sentMessages(parts.messages(), { ...before, ...omission, shortened });
    const charsAfter = promptChars(after);
    return charsAfter < charsBefore ? { ...omission, charsBefore, charsAfter } : undefined;
  }

  return {
    sending() {
      sentChars = promptChars(parts.sentMessages());
    },
    learn(event) {
      if (event.type !== "usage") return;
      window = event.contextWindow ?? window;
      if (event.inputTokens !== undefined && event.inputTokens > 0) {
        const count: Count = { tokens: event.inputTokens, chars: sentChars };
        charsPerToken = measure(counted, count) ?? charsPerToken;
        counted = count;
      }
    },
    beforeRequest() {
      if (compactor === undefined || window === undefined || counted === undefined) return undefined;
      const chars = promptChars(parts.sentMessages());
      const tokens = counted.tokens + (chars - counted.chars) / charsPerToken;
      if (tokens <= window * fullShare) return undefined;
      return compact(chars, chars - (tokens - window * goalShare) * charsPerToken);
    },
    afterRefusal() {
      const chars = promptChars(parts.sentMessages());
      const half = chars / 2;
      return compact(chars, window === undefined ? half : Math.min(half, window * goalShare * charsPerToken));
    },
  };
}

/** The server's count of one request, and the characters of its messages. */
interface Count {
  readonly tokens: number;
  readonly chars: number;
}

/** Returns the characters of a token in what was added between two requests; undefined if too little was added. */
function measure(before: Count | undefined, { tokens, chars }: Count): number | undefined {
  if (before === undefined || tokens - before.tokens < measuredTokens) return undefined;
  const measured = (chars - before.chars) / (tokens - before.tokens);
  return Math.min(defaultCharsPerToken, Math.max(minCharsPerToken, measured));
}
