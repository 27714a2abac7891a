/** Writes what llama.cpp adds to an answer: the prompt progress and the timings. */
import type { Reading, StrictDesk } from "./strict-desk.ts";

type Part = Record<string, unknown>;

/** How a prompt was read, for these frames. */
export interface ReadPrompt {
  readonly tokens: number;
  readonly cached: number;
  readonly tellsCached: boolean;
  /** True if the request asks for progress and the server supports it. */
  readonly tellsProgress: boolean;
}

export function readPrompt(reading: Reading, { facts }: StrictDesk, wantsProgress: boolean): ReadPrompt {
  const { tokens, cached } = reading;
  return {
    tokens,
    cached,
    tellsCached: facts.tellsCached,
    tellsProgress: facts.tellsProgress && wantsProgress,
  };
}

/** Yields the progress from the cached tokens to the whole prompt, in steps of one batch. */
export function* progressParts({ tokens, cached }: ReadPrompt, batch = 512): Generator<Part> {
  for (let processed = cached; ; ) {
    yield { prompt_progress: { total: tokens, cache: cached, processed, time_ms: processed - cached } };
    if (processed >= tokens) return;
    processed = Math.min(tokens, processed + batch);
  }
}

export function timings({ tokens, cached, tellsCached }: ReadPrompt, outputTokens: number): Part {
  const read = tokens - cached;
  return {
    ...(tellsCached ? { cache_n: cached } : {}),
    prompt_n: read,
    prompt_ms: read,
    prompt_per_token_ms: 1,
    prompt_per_second: 1_000,
    predicted_n: outputTokens,
    predicted_ms: outputTokens * 10,
    predicted_per_token_ms: 10,
    predicted_per_second: 100,
  };
}
