/**
 * Follows the calls of an answer beyond the number that is kept. Keeps only their total length, and of the newest one the
 * key, the id, the name, and whether its arguments are complete.
 */
import type { CallDelta } from "../../answer/call-delta.ts";
import { type CallsBeyond, createCallsBeyond } from "../../answer/calls-beyond.ts";
import { clearArguments, type Slot } from "./call-slot.ts";

export interface UnkeptCalls extends Pick<CallsBeyond, "chars" | "events"> {
  /** The newest call that is not kept; undefined if all are kept. */
  readonly last: Slot | undefined;
  open(slot: Slot, key: number | undefined): void;
  /** Returns `last` if it has the key of the delta, or, for a delta without a key, the id. Otherwise returns undefined. */
  find(delta: CallDelta): Slot | undefined;
  /** Counts a call if this delta begins one, and adds the length of the delta. */
  take(slot: Slot, delta: CallDelta): void;
}

export function createUnkeptCalls(): UnkeptCalls {
  const beyond = createCallsBeyond();
  let last: { readonly slot: Slot; readonly key: number | undefined } | undefined;
  return {
    get chars() {
      return beyond.chars;
    },
    get last() {
      return last?.slot;
    },
    events: beyond.events,
    open(slot, key) {
      last = { slot, key };
    },
    find({ key, id }) {
      const isSame = key === undefined ? id !== "" && last?.slot.wireId === id : last?.key === key;
      return isSame ? last?.slot : undefined;
    },
    take(slot, delta) {
      const { id, name, arguments: args } = delta;
      const text = typeof args === "string" ? args : JSON.stringify(args);
      const isAnother = slot.end.isWhole && text.trimStart().startsWith("{");
      if (isAnother || slot.chars === 0) beyond.begin(delta);
      else beyond.more(delta);
      if (slot.wireId === "") slot.wireId = id;
      if (slot.name === "") slot.name = name;
      if (isAnother) clearArguments(slot);
      slot.chars += 1 + text.length;
      slot.end.push(text);
    },
  };
}
