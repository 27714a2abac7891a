/** Estimates the tokens of prompts from the server's counts, and notices when a server has dropped a part of a prompt. */
import type { PromptSize } from "./prompt-size.ts";

/** The weight of one token before the server has counted. Code and JSON have 3 to 4 characters a token. */
const defaultPerToken = 3;
const minPerToken = 0.5;
/**
 * The largest weight of a token in ordinary text. If a count means a larger weight, the server has dropped a part of the
 * prompt.
 */
const maxPerToken = 8;
/** The minimum growth between two counts, in tokens, from which the weight of a token is measured. */
const measuredTokens = 200;
/**
 * If a count is below this share of the count of an earlier, shorter prompt, the server counts only the tokens that are new to
 * it.
 */
const newOnlyShare = 0.4;
/** The minimum number of tokens of a prompt that was cut. No server has a smaller window. */
const minCutTokens = 1_000;

export interface TokenEstimate {
  /** Returns the estimated tokens of a prompt, with the tools. */
  tokensOf(size: PromptSize): number;
  /** Returns the number of characters that take about `tokens` tokens in a prompt of this size. */
  charsOf(tokens: number, size: PromptSize): number;
  /**
   * Takes the server's count of a prompt. Returns the tokens that the prompt must have had if the server dropped a part of it;
   * else undefined.
   */
  learn(size: PromptSize, tokens: number): number | undefined;
  /** Forgets the largest count, because the prompt was made shorter. */
  forget(): void;
}

/** A prompt and the server's count of it. */
interface Count extends PromptSize {
  readonly tokens: number;
}

/** Returns the estimate for one model. `toolsChars` is the size of the tools that each request describes. */
export function createTokenEstimate(toolsChars: number): TokenEstimate {
  let last: Count | undefined;
  /** The prompt with the most tokens since the last compaction. */
  let largest: Count | undefined;
  let perToken = defaultPerToken;
  /** True if the server counts only the tokens that it did not have in its cache. */
  let countsOnlyNew = false;

  function leastTokens({ weight }: PromptSize): number {
    return largest === undefined
      ? weight / maxPerToken
      : largest.tokens + (weight - largest.weight) / maxPerToken;
  }

  return {
    tokensOf({ weight, thought = 0 }) {
      if (last === undefined) return (weight + thought + toolsChars) / perToken;
      return last.tokens + (weight - last.weight + moreThought(last, thought)) / perToken;
    },
    charsOf: (tokens, { chars, weight }) => (tokens * perToken * chars) / Math.max(1, weight),
    learn(size, tokens) {
      if (largest !== undefined && tokens < largest.tokens * newOnlyShare) countsOnlyNew = true;
      if (countsOnlyNew) {
        last = undefined;
        return undefined;
      }
      const least = leastTokens(size);
      const isCut = tokens >= minCutTokens && least > tokens * 1.05 + 100;
      const count: Count = { ...size, tokens };
      if (!isCut) perToken = measure(last, count) ?? perToken;
      last = isCut ? { ...size, tokens: least } : count;
      if (largest === undefined || tokens > largest.tokens) largest = last;
      return isCut ? Math.round(least) : undefined;
    },
    forget() {
      largest = undefined;
    },
  };
}

/**
 * Returns the weight of a token in the text that was added between two prompts, from 0.5 to 3; undefined if too little was
 * added.
 */
function measure(before: Count | undefined, { tokens, weight, thought = 0 }: Count): number | undefined {
  if (before === undefined || tokens - before.tokens < measuredTokens) return undefined;
  return Math.min(
    defaultPerToken,
    Math.max(minPerToken, (weight - before.weight + moreThought(before, thought)) / (tokens - before.tokens)),
  );
}

/** Returns the weight of the thoughts that were added. A server that drops older thoughts has counted them before. */
function moreThought(before: PromptSize, thought: number): number {
  return Math.max(0, thought - (before.thought ?? 0));
}
