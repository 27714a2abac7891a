/** Divides the context window among its uses. `defaultShares` is the table of shares; docs/context.md explains it. */

/** Shares of the context window, each in percent. */
export interface WindowShares {
  /**
   * The share of the system prompt without instructions. If the default system prompt needs more, a short prompt is used.
   */
  readonly systemPrompt: number;
  /** The share of the person's and the project's instructions together. */
  readonly instructions: number;
  /** The share of the descriptions of tools. The descriptions of MCP servers' tools may take half of it. */
  readonly tools: number;
  /** The share of one tool result. */
  readonly result: number;
  /** The share that a prompt leaves free for the answer. */
  readonly reply: number;
}

export const defaultShares: WindowShares = {
  systemPrompt: 10,
  instructions: 15,
  tools: 20,
  result: 20,
  reply: 20,
};

/**
 * The number of characters that count as one token. Code and JSON have at least this many, so a part takes rather less
 * than its share.
 */
const charsPerToken = 3;
/**
 * The minimum limit for a result. A smaller result would have no room for an error message or for a function of
 * ordinary length.
 */
const minResultChars = 1_500;

/**
 * Returns the number of characters in a share of a context window of `window` tokens; Infinity if the window is
 * unknown.
 */
export function shareChars(window: number | undefined, percent: number): number {
  return window === undefined
    ? Number.POSITIVE_INFINITY
    : Math.floor((window * percent * charsPerToken) / 100);
}

/**
 * Returns the maximum length of one tool result, in characters, for a window of `window` tokens. It is at most `most`, and
 * exactly `most` if the window is unknown.
 */
export function resultChars(
  window: number | undefined,
  most: number,
  percent = defaultShares.result,
): number {
  return Math.min(most, Math.max(minResultChars, shareChars(window, percent)));
}

/**
 * The ways to describe tools: `full` is all tools as they are, `compact` all tools with short descriptions, and
 * `minimal` the smallest set with short descriptions.
 */
export type ToolDetail = "full" | "compact" | "minimal";

/**
 * Returns the most detailed way to describe tools that fits into the share of the tools; `minimal` if neither `full` nor
 * `compact` fits. `sizes` are the sizes of these two, in characters.
 */
export function toolDetail(
  window: number | undefined,
  sizes: Readonly<Record<"full" | "compact", number>>,
  percent = defaultShares.tools,
): ToolDetail {
  const room = shareChars(window, percent);
  if (sizes.full <= room) return "full";
  return sizes.compact <= room ? "compact" : "minimal";
}
