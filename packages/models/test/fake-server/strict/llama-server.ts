/** The two servers that were measured, by their month, and what one knows that the other does not. */
export type LlamaServer = "2025-08" | "2026-08";

export interface ServerFacts {
  /** `/props` tells what the template can do. */
  readonly tellsAbilities: boolean;
  /** `/v1/models` answers while the model loads, with `meta` null. */
  readonly listsWhileLoading: boolean;
  /** `timings` say how many tokens came from the cache. */
  readonly tellsCached: boolean;
  /** `return_progress` is known. */
  readonly tellsProgress: boolean;
  /** `/v1/chat/completions/input_tokens` is there. */
  readonly countsTokens: boolean;
}

export const serverFacts: Readonly<Record<LlamaServer, ServerFacts>> = {
  "2025-08": {
    tellsAbilities: false,
    listsWhileLoading: true,
    tellsCached: false,
    tellsProgress: false,
    countsTokens: false,
  },
  "2026-08": {
    tellsAbilities: true,
    listsWhileLoading: false,
    tellsCached: true,
    tellsProgress: true,
    countsTokens: true,
  },
};
