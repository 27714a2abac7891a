/**
 * Measures from the events how long the current step takes, how fast the model writes, and how full its context window
 * is.
 */
import type { SessionEvent } from "@localharness/protocol";

export interface Pace {
  take(event: SessionEvent, now: number): void;
  /**
   * Returns the tokens of the newest request and its answer, counted by the server, or an estimate after a compaction; undefined
   * before the first count.
   */
  windowUsed(): number | undefined;
  /**
   * Returns the milliseconds since the current step began. A step is a phase of a model call, or the run of a
   * tool.
   */
  stepMs(now: number): number;
  /**
   * Returns the tokens per second of the newest answer that was long enough to measure; undefined before the first one.
   * While an answer arrives, the number is an estimate that counts four characters as one token.
   */
  tokensPerSecond(now: number): number | undefined;
}

export function createPace(): Pace {
  let used: number | undefined;
  let began: number | undefined;
  let characters = 0;
  let last: number | undefined;
  let stepBegan = 0;
  let estimatedAt = Number.NEGATIVE_INFINITY;
  return {
    take(event, now) {
      if (beginsStep.has(event.type)) stepBegan = now;
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
        case "compaction":
          // An estimate until the server counts the next request.
          used &&= Math.round((used * event.charsAfter) / Math.max(1, event.charsBefore));
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
    stepMs: (now) => now - stepBegan,
    tokensPerSecond(now) {
      // The estimate is updated once a second, because nobody can read a number that changes with every frame.
      if (began !== undefined && now - estimatedAt >= 1_000) {
        estimatedAt = now;
        last = rate(characters / 4, now - began) ?? last;
      }
      return last;
    },
  };
}

/** The events that begin a step. An answer to a question begins one, so that the time of the question is not counted. */
const beginsStep: ReadonlySet<SessionEvent["type"]> = new Set<SessionEvent["type"]>([
  ...([
    "turn-start",
    "iteration-start",
    "model-phase",
    "permission-answer",
    "tool-start",
    "tool-result",
  ] as const),
]);

const minTokens = 20;

/** Returns the tokens per second; undefined before 300 ms or 20 tokens, which are too few to measure. */
function rate(tokens: number, ms: number): number | undefined {
  return ms < 300 || tokens < minTokens ? undefined : (tokens * 1_000) / ms;
}
