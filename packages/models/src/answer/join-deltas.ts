/** Joins deltas that arrived in one read, so that they do not pass through the program piece by piece. */
import type { ModelEvent } from "@localharness/protocol";

/** Returns the events with each run of adjacent deltas of the same kind (and the same call) joined into one. */
export function joinDeltas(events: readonly ModelEvent[]): readonly ModelEvent[] {
  if (events.length < 2) return events;
  const out: ModelEvent[] = [];
  for (let from = 0; from < events.length; ) {
    const first = events[from] as ModelEvent;
    let to = from + 1;
    while (to < events.length && continues(first, events[to] as ModelEvent)) to += 1;
    out.push(to === from + 1 ? first : joined(first, events.slice(from, to)));
    from = to;
  }
  return out;
}

function continues(first: ModelEvent, next: ModelEvent): boolean {
  if (first.type !== next.type) return false;
  if (first.type === "tool-call-delta" && next.type === "tool-call-delta") return first.index === next.index;
  return first.type === "text-delta" || first.type === "reasoning-delta";
}

function joined(first: ModelEvent, run: readonly ModelEvent[]): ModelEvent {
  const text = run.map(textOf).join("");
  return first.type === "tool-call-delta"
    ? { ...first, argumentsText: text }
    : ({ ...first, text } as ModelEvent);
}

function textOf(event: ModelEvent): string {
  if (event.type === "text-delta" || event.type === "reasoning-delta") return event.text;
  return event.type === "tool-call-delta" ? event.argumentsText : "";
}
