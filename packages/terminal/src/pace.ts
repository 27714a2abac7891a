/** How fast the model writes and how full its window is, from what the events say. */
import type { SessionEvent } from "@localharness/protocol";

export interface Pace {
  take(event: SessionEvent, now: number): void;
  /** Tokens of the newest request and its answer, as the server counted them. */
  windowUsed(): number | undefined;
  /** Of the newest answer; estimated while it comes, by four characters a token. */
  tokensPerSecond(now: number): number | undefined;
}

export function createPace(): Pace {
  let used: number | undefined;
  let began: number | undefined;
  let characters = 0;
  let last: number | undefined;
  let asked = Number.NEGATIVE_INFINITY;
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
          if (event.outputTokens !== undefined && began !== undefined)
            last = rate(event.outputTokens, now - began) ?? last;
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
      // A figure that changes with every frame cannot be read.
      if (began !== undefined && now - asked >= 1_000) {
        asked = now;
        last = rate(characters / 4, now - began) ?? last;
      }
      return last;
    },
  };
}

/** Nothing sure can be said of the first moments. */
function rate(tokens: number, ms: number): number | undefined {
  return ms < 300 ? undefined : (tokens * 1_000) / ms;
}
