/**
 * Accepts the first calls of one answer and counts the further calls. A model may make thousands of calls by mistake, and each
 * accepted call adds a result to the transcript. So one message tells the model about all further calls.
 */
import type { ModelEvent } from "@localharness/protocol";
import { tooManyCallsText } from "./texts.ts";

export const maxCallsInAnswer = 200;

export interface CallCap {
  /** Takes the next event of the answer. Returns false if it belongs to a call beyond the limit, or reports such calls. */
  admits(event: ModelEvent): boolean;
  /** Returns an event about the calls beyond the limit; undefined if there were none. */
  rest(): Extract<ModelEvent, { type: "tool-call-error" }> | undefined;
}

/** Returns a filter that accepts the first `max` calls. */
export function createCallCap(max: number): CallCap {
  const open = new Set<number>();
  const openBeyond = new Set<number>();
  let taken = 0;
  let beyond = 0;
  let highest = 0;

  const begin = (index: number): boolean => {
    const fits = taken < max;
    if (fits) taken += 1;
    else beyond += 1;
    (fits ? open : openBeyond).add(index);
    return fits;
  };

  /** Adds the number of calls that the model's adapter has counted and dropped. Returns false. */
  const skip = (calls: number): boolean => {
    beyond += calls;
    return false;
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
          if (open.delete(event.index)) taken -= 1;
          if (!openBeyond.delete(event.index)) return true;
          beyond -= 1;
          return false;
        case "tool-call-error":
          return event.calls === undefined ? end(event.index) : skip(event.calls);
        case "tool-call-end":
          return end(event.index);
      }
    },
    rest() {
      if (beyond === 0) return undefined;
      const message = tooManyCallsText(taken, beyond);
      return { type: "tool-call-error", index: highest + 1, raw: "", reason: "too-many", message };
    },
  };
}
