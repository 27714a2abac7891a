/** Joins adjacent deltas of the same kind, so that lists of events can be compared even if the text was cut differently. */
import type { DetectEvent } from "./types.ts";

/** Returns a new list in which adjacent deltas of the same kind are joined. Does not change the given events. */
export function mergeDeltas(events: readonly DetectEvent[]): DetectEvent[] {
  const merged: DetectEvent[] = [];
  for (const event of events) {
    const last = merged.at(-1);
    if (last && "text" in last && "text" in event && last.type === event.type) {
      merged[merged.length - 1] = { ...last, text: last.text + event.text };
    } else if (
      last?.type === "tool-call-delta" &&
      event.type === "tool-call-delta" &&
      last.index === event.index
    ) {
      merged[merged.length - 1] = { ...last, argumentsText: last.argumentsText + event.argumentsText };
    } else {
      merged.push(event);
    }
  }
  return merged;
}
