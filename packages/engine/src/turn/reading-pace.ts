/** Measures how fast a server reads prompts, and estimates how long it takes to read the next prompt. */
import type { ModelEvent, PhaseOfCall } from "@localharness/protocol";
import type { Model } from "../model.ts";

/** The minimum number of tokens of a measurement: the time of a shorter prompt says little about the speed. */
const minMeasuredTokens = 256;
/** A prompt with less than this share of the tokens in the cache was made shorter, so the server reads all of it. */
const grownShare = 0.9;

export interface ReadingPace {
  /** Returns the tokens of a prompt that the server must still read, and the time for them if the pace is known. */
  expect(model: Model, tokens: number): Pick<PhaseOfCall, "tokens" | "expectedMs">;
  /** Takes the server's counts. `readMs` is the time from the phase `reading` to the first token; undefined if unknown. */
  learn(usage: Extract<ModelEvent, { type: "usage" }>, readMs: number | undefined): void;
}

export function createReadingPace(): ReadingPace {
  let model: Model | undefined;
  let speed: number | undefined;
  /** The tokens that the server has in its cache after the last answer. */
  let known = 0;
  let expected = 0;
  return {
    expect(next, tokens) {
      if (next !== model) {
        model = next;
        speed = next.readsPerSecond;
        known = 0;
      }
      // A prompt that was made shorter no longer begins with what is in the cache.
      expected = Math.round(tokens < known * grownShare ? tokens : Math.max(1, tokens - known));
      if (speed === undefined) return { tokens: expected };
      return { tokens: expected, expectedMs: Math.round((expected * 1_000) / speed) };
    },
    learn({ inputTokens, outputTokens = 0, cachedTokens }, readMs) {
      if (inputTokens === undefined) return;
      const read = cachedTokens === undefined ? Math.min(expected, inputTokens) : inputTokens - cachedTokens;
      known = inputTokens + outputTokens;
      if (readMs !== undefined && readMs > 0 && read >= minMeasuredTokens) speed = (read * 1_000) / readMs;
    },
  };
}
