/** Joins neighbouring deltas of the same kind, so that event lists compare however the text was cut. */
import type { DetectEvent } from "./types.ts";

/** Returns a new list in which no two adjacent deltas could be one; the events given are not changed. */
export function mergeDeltas(events: readonly DetectEvent[]): DetectEvent[] {
  const merged: DetectEvent[] = [];
  for (const event of events) {
    const last = merged.at(-1);
    if (last?.type === "text-delta" && event.type === "text-delta") {
      merged[merged.length - 1] = { type: "text-delta", text: last.text + event.text };
    } else if (last?.type === "reasoning-delta" && event.type === "reasoning-delta") {
      merged[merged.length - 1] = { type: "reasoning-delta", text: last.text + event.text };
    } else if (
      last?.type === "tool-call-delta" &&
      event.type === "tool-call-delta" &&
      last.index === event.index
    ) {
      const argumentsText = last.argumentsText + event.argumentsText;
      merged[merged.length - 1] = { type: "tool-call-delta", index: last.index, argumentsText };
    } else {
      merged.push(event);
    }
  }
  return merged;
}
