/** Lists the two measured llama-servers, by month, and the features in which they differ. */
export type LlamaServer = "2025-08" | "2026-08";

export interface ServerFacts {
  /** `/props` reports what the template can do. */
  readonly tellsAbilities: boolean;
  /** `/v1/models` answers while the model loads, with `meta` null. */
  readonly listsWhileLoading: boolean;
  /** `timings` contain the number of tokens from the cache. */
  readonly tellsCached: boolean;
  /** The server supports `return_progress`. */
  readonly tellsProgress: boolean;
  /** The server has `/v1/chat/completions/input_tokens`. */
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
