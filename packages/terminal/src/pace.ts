/** Measures from the events how fast the model writes and how full its context window is. */
import type { SessionEvent } from "@localharness/protocol";

export interface Pace {
  take(event: SessionEvent, now: number): void;
  /** Tokens of the newest request and its answer, counted by the server; undefined before the first count. */
  windowUsed(): number | undefined;
  /** Speed of the newest answer. While it is still coming, estimated at four characters a token. */
  tokensPerSecond(now: number): number | undefined;
}

export function createPace(): Pace {
  let used: number | undefined;
  let began: number | undefined;
  let characters = 0;
  let last: number | undefined;
  let estimatedAt = Number.NEGATIVE_INFINITY;
  return {
    take(event, now) {
      switch (event.type) {
        case "iteration-start":
          began = undefined;
          characters = 0;
          return;
        case "text-delta":
        case "reasoning-delta":
          began ??= now;
          characters += event.text.length;
          return;
        case "tool-call-delta":
          began ??= now;
          characters += event.argumentsText.length;
          return;
        case "usage":
          if (event.inputTokens !== undefined) used = event.inputTokens + (event.outputTokens ?? 0);
          if (event.outputTokens !== undefined && began !== undefined) {
            last = rate(event.outputTokens, now - began) ?? last;
          }
          return;
        case "model-end":
        case "model-error":
          began = undefined;
          return;
        default:
          return;
      }
    },
    windowUsed: () => used,
    tokensPerSecond(now) {
      // The estimate changes once a second: a number that changes with every frame cannot be read.
      if (began !== undefined && now - estimatedAt >= 1_000) {
        estimatedAt = now;
        last = rate(characters / 4, now - began) ?? last;
      }
      return last;
    },
  };
}

/** Returns tokens a second; undefined for the first 300 ms, which are too short to measure. */
function rate(tokens: number, ms: number): number | undefined {
  return ms < 300 ? undefined : (tokens * 1_000) / ms;
}
