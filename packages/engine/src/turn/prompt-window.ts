/** Keeps the prompt within the context window: estimates its tokens, and decides when to make it shorter. */
import { defined, type ModelEvent, type ModelMessage } from "@localharness/protocol";
import type { Compactor, Omission } from "../compactor.ts";
import type { Model, ToolDefinition } from "../model.ts";
import { type LeftOut, sentMessages } from "../session/sent-messages.ts";
import { type PromptSize, promptChars, promptSize, toolChars } from "./prompt-size.ts";
import { createTokenEstimate, type TokenEstimate } from "./token-estimate.ts";

/** The share of the window that a prompt leaves for the answer. The prompt is made shorter before it takes this share. */
const defaultReplyShare = 0.2;
/**
 * A compaction before a request is to leave a prompt with at most this share of the window without the part for the
 * answer. By default this is 36 % of the window. With a share of 50 % a long task sends 10 % more tokens,
 * because later requests carry the rest.
 */
const goalOfPrompt = 0.45;
/** The share of a prompt that is to stay at most when the person asks for room. */
const demandShare = 0.25;
/** The maximum number of compactions for a request that the server refuses, and of consecutive ones that make no room. */
export const maxCompactions = 2;
/** A compaction makes no room if it keeps more than this share of a prompt and the window is still nearly full. */
const minSavedShare = 0.95;

/** The messages of a transcript. */
export interface WindowParts {
  /** Returns the complete messages. */
  messages(): readonly ModelMessage[];
  /** Returns the messages of the next request. */
  sentMessages(): readonly ModelMessage[];
  leftOut(): LeftOut;
}

export interface PromptWindow {
  /** Prepares for a request to this model. Asks the model for its context window as long as the window is unknown. */
  prepare(model: Model, tools: readonly ToolDefinition[]): Promise<void>;
  /** Returns the event. Adds the known context window to a `usage` event that has none. */
  withWindow(event: ModelEvent): ModelEvent;
  /** Remembers the size of the request that is about to be sent. */
  sending(): void;
  /** Learns from the server's token counts. Returns a cut if the server has dropped a part of the prompt without telling. */
  learn(event: ModelEvent): SilentCut | undefined;
  /** Returns the window and the tokens that the system prompt and the tools take; undefined if the window is unknown. */
  basis(): Basis | undefined;
  /**
   * Returns what to leave out of a request that nearly fills the window. Returns undefined if the window is unknown, if
   * nothing can be left out, and without a compactor.
   */
  beforeRequest(): Compaction | undefined;
  /**
   * Returns what to leave out after the server refused a request as too long; undefined if nothing can be left out, and
   * without a compactor.
   */
  afterRefusal(): Compaction | undefined;
  /**
   * Returns what to leave out because the person asks for a shorter prompt; undefined if nothing can be left out, and
   * without a compactor. `keep` is as for `Compactor.compact`.
   */
  onDemand(keep: string | undefined): Compaction | undefined;
  /** Returns true if the next request nearly fills the window; false if the window is unknown. */
  isFull(): boolean;
  /** Takes note of a compaction whose event was emitted. */
  compacted(compaction: Compaction): void;
  /** Returns true if neither of the last two compactions made promptWindow: each saved little and left the window nearly full. */
  isStuck(): boolean;
  /** Returns the estimated tokens of the next request, and the known window. */
  filling(): Filling;
}

/** The parts that are left out, and the number of characters of the prompt before and after. */
export interface Compaction extends Omission {
  readonly charsBefore: number;
  readonly charsAfter: number;
  /** The number of characters of the answers that this compaction folds, without their calls. */
  readonly saidChars: number;
}

/** A prompt of which the server has read only a part. */
export interface SilentCut {
  /** The tokens that the server has read. */
  readonly readTokens: number;
  /** The minimum number of tokens that the prompt must have had. */
  readonly sentTokens: number;
}

export interface Basis {
  readonly window: number;
  readonly tokens: number;
}

/** The estimated tokens of a prompt in a window. */
export interface Filling {
  readonly window: number | undefined;
  readonly tokens: number;
}

/** The rules that keep a prompt within the window. */
export interface WindowRules {
  /** Without a compactor, nothing is ever left out. */
  readonly compactor?: Compactor | undefined;
  /** The share of the window that a prompt leaves for the answer. */
  readonly replyShare?: number | undefined;
}

/** Creates the prompt window of one transcript. */
export function createPromptWindow(
  { compactor, replyShare = defaultReplyShare }: WindowRules,
  parts: WindowParts,
): PromptWindow {
  const fullShare = 1 - replyShare;
  const goalShare = fullShare * goalOfPrompt;
  let model: Model | undefined;
  let window: number | undefined;
  /** The tokens at which the server cuts prompts without telling; Infinity if it does not. */
  let cutsAt = Number.POSITIVE_INFINITY;
  let estimate: TokenEstimate = createTokenEstimate(0);
  let sent: PromptSize = { chars: 0, weight: 0 };
  /** The number of consecutive compactions, up to the last, that made no room. */
  let idle = 0;

  function tokensNow(): number {
    return estimate.tokensOf(promptSize(parts.sentMessages()));
  }

  function isFull(): boolean {
    return window !== undefined && tokensNow() > window * fullShare;
  }

  function compact(charsBefore: number, maxChars: number, keep?: string): Compaction | undefined {
    const omission = compactor?.compact(parts.messages(), parts.leftOut(), maxChars, keep);
    const compaction = omission === undefined ? undefined : compactionOf(parts, omission, charsBefore);
    if (compaction !== undefined) estimate.forget();
    return compaction;
  }

  return {
    async prepare(next, tools) {
      if (model !== next) {
        model = next;
        window = undefined;
        cutsAt = Number.POSITIVE_INFINITY;
        estimate = createTokenEstimate(toolChars(tools));
      }
      window ??= await next.contextWindow?.(tokensNow());
    },
    withWindow(event) {
      if (event.type !== "usage" || event.contextWindow !== undefined || window === undefined) return event;
      return { ...event, contextWindow: window };
    },
    sending() {
      sent = promptSize(parts.sentMessages());
    },
    learn(event) {
      if (event.type !== "usage") return undefined;
      const { inputTokens = 0, contextWindow = window } = event;
      const sentTokens = inputTokens > 0 ? estimate.learn(sent, inputTokens) : undefined;
      if (sentTokens !== undefined) cutsAt = inputTokens;
      const known = contextWindow ?? (sentTokens === undefined ? undefined : cutsAt);
      window = known === undefined ? undefined : Math.min(known, cutsAt);
      return sentTokens === undefined ? undefined : { readTokens: inputTokens, sentTokens };
    },
    basis() {
      if (window === undefined) return undefined;
      const [system] = parts.sentMessages();
      return { window, tokens: estimate.tokensOf(promptSize(system === undefined ? [] : [system])) };
    },
    beforeRequest() {
      if (window === undefined) return undefined;
      const size = promptSize(parts.sentMessages());
      const tokens = estimate.tokensOf(size);
      return compact(size.chars, size.chars - estimate.charsOf(tokens - window * goalShare, size));
    },
    afterRefusal() {
      const size = promptSize(parts.sentMessages());
      const half = size.chars / 2;
      if (window === undefined) return compact(size.chars, half);
      return compact(size.chars, Math.min(half, estimate.charsOf(window * goalShare, size)));
    },
    onDemand(keep) {
      const { chars } = promptSize(parts.sentMessages());
      return compact(chars, chars * demandShare, keep);
    },
    isFull,
    compacted({ charsBefore, charsAfter }) {
      idle = isFull() && charsAfter > charsBefore * minSavedShare ? idle + 1 : 0;
    },
    isStuck: () => idle >= maxCompactions,
    filling: () => ({ window, tokens: tokensNow() }),
  };
}

/** Returns the compaction that leaves out `omission`; undefined if the prompt would not become shorter. */
function compactionOf(parts: WindowParts, omission: Omission, charsBefore: number): Compaction | undefined {
  const whole = parts.messages();
  const before = parts.leftOut();
  const contents = omission.shortened.map(({ callId, content }) => [callId, content] as const);
  const shortened = { ...before.shortened, ...Object.fromEntries(contents) };
  const charsAfter = promptChars(sentMessages(whole, { ...before, ...omission, shortened }));
  if (charsAfter >= charsBefore) return undefined;
  const saidChars = saidIn(whole, before.folded?.messages ?? 0, omission.folded?.messages ?? 0);
  const summary = before.folded?.summary;
  const folded =
    omission.folded === undefined ? {} : { folded: { ...defined({ summary }), ...omission.folded } };
  return { ...omission, ...folded, charsBefore, charsAfter, saidChars };
}

/** Returns the number of characters of the answers in the messages from `start` to `end`. */
function saidIn(messages: readonly ModelMessage[], start: number, end: number): number {
  const answers = messages.slice(start, end).filter(({ role }) => role === "assistant");
  return answers.reduce((sum, { content }) => sum + content.length, 0);
}
