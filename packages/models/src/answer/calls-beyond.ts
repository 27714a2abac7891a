/** Counts the calls of an answer that exceed the maximum number, without keeping them. */
import { countText, type ModelEvent } from "@localharness/protocol";
import type { CallDelta } from "./call-delta.ts";

export interface CallsBeyond {
  /** The number of characters of all calls that are not kept. They count as part of the answer's length. */
  readonly chars: number;
  /** Counts a call that begins with this delta, and adds the length of the delta. */
  begin(delta: CallDelta): void;
  /** Adds the length of a delta that continues the newest call. */
  more(delta: CallDelta): void;
  /** Returns one error event with this index for all calls that are not kept; no event if all are kept. */
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
