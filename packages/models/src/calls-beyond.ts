/** Counts the calls of an answer that exceed the maximum number, without keeping them. */
import { countText, type ModelEvent } from "@localharness/protocol";
import type { CallDelta } from "./call-delta.ts";

export interface CallsBeyond {
  /** The total length of the calls that are counted but not kept. It counts as part of the answer's length. */
  readonly chars: number;
  /** Counts a call that begins with this delta. */
  begin(delta: CallDelta): void;
  /** Measures a delta that continues the newest of these calls. */
  more(delta: CallDelta): void;
  /** Returns an event with the number of these calls; no event if there were none. */
  events(index: number): ModelEvent[];
}

export function createCallsBeyond(): CallsBeyond {
  let calls = 0;
  let chars = 0;
  const more = ({ name, arguments: args }: CallDelta) => {
    chars += 1 + name.length + (typeof args === "string" ? args : JSON.stringify(args)).length;
  };
  return {
    get chars() {
      return chars;
    },
    begin(delta) {
      calls += 1;
      more(delta);
    },
    more,
    events: (index) => (calls === 0 ? [] : [beyondEvent(index, calls)]),
  };
}

/** Returns the event for calls that were counted but not kept. */
export function beyondEvent(index: number, calls: number): Extract<ModelEvent, { type: "tool-call-error" }> {
  const message = `The answer had ${countText(calls, "call")} more than are taken; they were not run.`;
  return { type: "tool-call-error", index, raw: "", reason: "too-many", message, calls };
}
