/** Events folded into what a reply amounts to, for callers that need no stream. */
import type { DetectEvent } from "./types.ts";

export interface Summary {
  readonly calls: readonly Extract<DetectEvent, { type: "tool-call-end" }>[];
  readonly errors: readonly Extract<DetectEvent, { type: "tool-call-error" }>[];
  /**
   * What is left for the person. A call that could not be read stands in `errors` with its raw text; where it names no tool
   * on offer, so that nothing says it was meant as one, its raw text is in here as well.
   */
  readonly text: string;
  readonly reasoning: string;
}

export function summarize(events: readonly DetectEvent[]): Summary {
  return {
    calls: events.filter((event) => event.type === "tool-call-end"),
    errors: events.filter((event) => event.type === "tool-call-error"),
    text: events.map(textOf).join(""),
    reasoning: events.map((event) => (event.type === "reasoning-delta" ? event.text : "")).join(""),
  };
}

function textOf(event: DetectEvent): string {
  if (event.type === "text-delta") return event.text;
  if (event.type !== "tool-call-error") return "";
  return event.name === undefined || event.reason === "unknown-tool" ? event.raw : "";
}
