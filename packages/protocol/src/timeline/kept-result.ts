/** Bounds the results that a screen keeps. */
import { countText } from "../count-text.ts";
import type { SessionEvent } from "../event.ts";

/** The maximum length of a kept result's data, in UTF-16 units. */
export const maxKeptChars: number = 512 * 1024;

/** Returns the event; one with a longer result has the beginning and the end of the result's data. */
export function keptEvent(event: SessionEvent): SessionEvent {
  if (event.type !== "tool-result") return event;
  const { data } = event.result;
  if (data === null || data.length <= maxKeptChars) return event;
  const half = maxKeptChars / 2;
  const left = data.length - maxKeptChars;
  const kept = `${data.slice(0, half)}\n… ${countText(left, "more character")} …\n${data.slice(-half)}`;
  return { ...event, result: { ...event.result, data: copied(kept) } };
}

/** Returns a copy of the text that does not keep the text in memory of which it is a part. */
function copied(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}
