/** Sums up the events of a reply, for callers that do not read a stream. */
import type { DetectEvent } from "./types.ts";

export interface Summary {
  readonly calls: readonly Extract<DetectEvent, { type: "tool-call-end" }>[];
  readonly errors: readonly Extract<DetectEvent, { type: "tool-call-error" }>[];
  /**
   * The text for the person. It also has the raw text of an error that has no `name` or the reason `unknown-tool`, because
   * that may not be a call. If the reply has calls, a raw text that ends in `>` is left out.
   */
  readonly text: string;
  readonly reasoning: string;
}

/** Returns the summary of a reply, made from the events after the last `restart`. */
export function summarize(all: readonly DetectEvent[]): Summary {
  const events = all.slice(all.findLastIndex(({ type }) => type === "restart") + 1);
  const calls = events.filter((event) => event.type === "tool-call-end");
  return {
    calls,
    errors: events.filter((event) => event.type === "tool-call-error"),
    text: events.map((event) => textOf(event, calls.length > 0)).join(""),
    reasoning: events.map((event) => (event.type === "reasoning-delta" ? event.text : "")).join(""),
  };
}

function textOf(event: DetectEvent, hasCalls: boolean): string {
  if (event.type === "text-delta") return event.text;
  if (event.type !== "tool-call-error") return "";
  const { name, reason, raw } = event;
  const isMeant = hasCalls && />\s*$/.test(raw);
  return (name === undefined || reason === "unknown-tool") && !isMeant ? raw : "";
}
