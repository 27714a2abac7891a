/** Divides the context window. `defaultShares` is the table of shares; docs/context.md explains it. */

/** Shares of the context window, each in percent. */
export interface WindowShares {
  /** The system prompt without instructions; a short one is used if the usual one has more. */
  readonly systemPrompt: number;
  /** The instructions of the person and of the project together. */
  readonly instructions: number;
  /** The descriptions of tools; those of MCP servers may take half of it. */
  readonly tools: number;
  /** One tool result. */
  readonly result: number;
  /** The room that a prompt leaves for the answer. */
  readonly reply: number;
}

export const defaultShares: WindowShares = {
  systemPrompt: 10,
  instructions: 15,
  tools: 20,
  result: 20,
  reply: 20,
};

/** The characters of a token: the fewest that code and JSON have, so that a part rather takes less than its share. */
const charsPerToken = 3;
/**
 * The minimum limit for a result. A smaller result would have no room for an error message or for a function of
 * ordinary length.
 */
const minResultChars = 1_500;

/** Returns the characters of a share of a window; Infinity if the window is unknown. */
export function shareChars(window: number | undefined, percent: number): number {
  return window === undefined
    ? Number.POSITIVE_INFINITY
    : Math.floor((window * percent * charsPerToken) / 100);
}

/** Returns the maximum characters of one tool result in a window of `window` tokens: `most` if the window is unknown. */
export function resultChars(
  window: number | undefined,
  most: number,
  percent = defaultShares.result,
): number {
  return Math.min(most, Math.max(minResultChars, shareChars(window, percent)));
}

/** The ways to describe tools: all as they are, all with short descriptions, the smallest set with short descriptions. */
export type ToolDetail = "full" | "compact" | "minimal";

/**
 * Returns the most detailed way whose size is within the share of tools. `sizes` are the characters of each way.
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
