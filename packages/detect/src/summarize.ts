/** Events folded into what a reply amounts to, for callers that need no stream. */
import type { DetectEvent } from "./types.ts";

export interface Summary {
  readonly calls: readonly Extract<DetectEvent, { type: "tool-call-end" }>[];
  readonly errors: readonly Extract<DetectEvent, { type: "tool-call-error" }>[];
  /** What is left for the person; the raw text of calls that could not be read stays in it, so that nothing is lost. */
  readonly text: string;
  readonly reasoning: string;
}

export function summarize(events: readonly DetectEvent[]): Summary {
  return {
    calls: events.filter((event) => event.type === "tool-call-end"),
    errors: events.filter((event) => event.type === "tool-call-error"),
    text: events
      .map((event) =>
        event.type === "text-delta" ? event.text : event.type === "tool-call-error" ? event.raw : "",
      )
      .join(""),
    reasoning: events.map((event) => (event.type === "reasoning-delta" ? event.text : "")).join(""),
  };
}
