/**
 * The first calls of one answer, and how many came after them. A model that runs wild makes thousands; every one that
 * is taken is an entry in the conversation and has a result there, so the rest is told in one sentence.
 */
import type { ModelEvent } from "@localharness/protocol";

export const mostCallsInAnswer = 200;

export interface CallCap {
  /** False for an event of a call beyond the limit. */
  admits(event: ModelEvent): boolean;
  /** What came beyond the limit, as an event; undefined when nothing did. */
  rest(): Extract<ModelEvent, { type: "tool-call-error" }> | undefined;
}

/** `most`: calls that are taken. */
export function createCallCap(most: number): CallCap {
  const open = new Set<number>();
  const openBeyond = new Set<number>();
  let taken = 0;
  let beyond = 0;
  let highest = 0;

  const begin = (index: number): boolean => {
    const fits = taken < most;
    if (fits) taken++;
    else beyond++;
    (fits ? open : openBeyond).add(index);
    return fits;
  };

  const end = (index: number): boolean => {
    const known = open.has(index) || openBeyond.has(index);
    const fits = known ? open.has(index) : begin(index);
    (fits ? open : openBeyond).delete(index);
    return fits;
  };

  return {
    admits(event) {
      if (!("index" in event)) return true;
      highest = Math.max(highest, event.index);
      switch (event.type) {
        case "tool-call-start":
          return begin(event.index);
        case "tool-call-delta":
          return !openBeyond.has(event.index);
        case "tool-call-withdrawn":
          if (open.delete(event.index)) taken--;
          if (!openBeyond.delete(event.index)) return true;
          beyond--;
          return false;
        case "tool-call-end":
        case "tool-call-error":
          return end(event.index);
      }
    },
    rest() {
      if (beyond === 0) return undefined;
      const message = `Your answer held ${taken + beyond} tool calls; only the first ${taken} were taken, the other ${beyond} were not run. Make a few calls at once and look at their results.`;
      return { type: "tool-call-error", index: highest + 1, raw: "", reason: "too-many", message };
    },
  };
}
