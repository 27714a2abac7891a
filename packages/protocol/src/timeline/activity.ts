/** Says what a turn does now, as data that each screen puts into words. */

import type { SessionEvent } from "../event.ts";
import type { ModelPhase, PhaseOfCall, PromptProgress } from "../model-event.ts";

/** What a turn waits for while the model writes nothing. */
export type Waiting =
  /** The model has not begun to answer. */
  | { readonly kind: "model" }
  /** A while passes before the model is asked again. */
  | { readonly kind: "pause" }
  | { readonly kind: "reading"; readonly progress: PromptProgress }
  /** The model call is in a phase, which began at `since` in milliseconds; absent for an event of the history. */
  | { readonly kind: "phase"; readonly phase: PhaseOfCall; readonly since?: number };

/** What a turn does. `chars` is the number of characters so far. */
export type Activity =
  | Waiting
  | { readonly kind: "thinking"; readonly chars: number }
  | { readonly kind: "writing-call"; readonly toolName: string; readonly chars: number }
  | { readonly kind: "answering" }
  | { readonly kind: "running"; readonly toolNames: readonly string[] };

/** The phases whose text is shown as it comes. */
const shownPhases: ReadonlySet<ModelPhase> = new Set(["thinking", "writing"]);

/** Returns what the turn waits for after an event; undefined if it does not wait. */
export function waitingAfter(
  before: Waiting | undefined,
  event: SessionEvent,
  at: number | undefined,
): Waiting | undefined {
  switch (event.type) {
    case "iteration-start":
      return { kind: "model" };
    case "prompt-progress": {
      const { totalTokens, cachedTokens, doneTokens } = event;
      return { kind: "reading", progress: { totalTokens, cachedTokens, doneTokens } };
    }
    case "model-phase":
      if (shownPhases.has(event.phase)) return before;
      return { kind: "phase", phase: event, ...(at === undefined ? {} : { since: at }) };
    case "model-retry":
      return before && { kind: event.waitMs > 0 ? "pause" : "model" };
    case "text-delta":
    case "reasoning-delta":
    case "tool-call-start":
    case "model-end":
    case "model-error":
    case "turn-end":
      return undefined;
    default:
      return before;
  }
}
