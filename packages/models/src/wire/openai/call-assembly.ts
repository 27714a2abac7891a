/**
 * Assembles tool calls from deltas in any shape that servers send. The index may be sparse, repeated or missing; the id
 * or the name may be late, missing or repeated; the arguments may come in pieces, whole, or as an object. The pieces
 * are joined once, at the end.
 */
import { maxCallsInAnswer } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import { type CallDelta, readCallDelta } from "../../answer/call-delta.ts";
import type { CallIds } from "../../answer/call-ids.ts";
import type { Ending } from "../../answer/cut-off.ts";
import { continuesName, createOffer, isWholeName, joinName, type OfferedNames } from "./call-name.ts";
import {
  addArguments,
  addFields,
  clearArguments,
  createSlot,
  isEmpty,
  isSame,
  objectOf,
  type Slot,
  settle,
  textOf,
  wholeObject,
} from "./call-slot.ts";
import { createUnkeptCalls, type UnkeptCalls } from "./unkept-calls.ts";

export interface CallAssembly {
  /** Takes one element of `tool_calls`, and adds its events to `out`. Ignores a value that is not an object. */
  push(delta: unknown, out: ModelEvent[]): void;
  /**
   * Returns the end of every kept call, which is a complete call or an error. If other calls were not kept, the last event
   * has their number.
   */
  finish(ending: Ending): ModelEvent[];
  readonly unkeptChars: number;
  readonly count: number;
  names(): string[];
}

/** `names` are the names of the tools on offer; without them, another name is another call. */
export function createCallAssembly(
  ids: CallIds,
  maxCalls: number = maxCallsInAnswer,
  names: readonly string[] = [],
): CallAssembly {
  const offer = createOffer(names);
  const slots: Slot[] = [];
  const byKey = new Map<number, Slot>();
  const byWireId = new Map<string, Slot>();
  const unkept = createUnkeptCalls();

  function open({ key }: CallDelta): Slot {
    const isKept = slots.length < maxCalls;
    const slot = createSlot(slots.length);
    if (isKept) slots.push(slot);
    else unkept.open(slot, key);
    // A call that is not kept takes over the key of a kept call, so that later deltas of this key do not join the kept call.
    if (key !== undefined && (isKept || byKey.has(key))) byKey.set(key, slot);
    return slot;
  }

  function known(delta: CallDelta): Slot | undefined {
    const { key, id, name } = delta;
    if (key !== undefined) return byKey.get(key) ?? unkept.find(delta);
    if (id === "" && name === "") return unkept.last ?? slots.at(-1);
    const last = id === "" ? slots.at(-1) : byWireId.get(id);
    return id === "" && (last === undefined || !continuesName(last, delta, offer))
      ? unkept.find(delta)
      : (last ?? unkept.find(delta));
  }

  /** Returns the slot of the delta, a new one if a call begins; undefined if the delta only repeats what was sent. */
  function slotFor(delta: CallDelta): Slot | undefined {
    const slot = known(delta);
    if (slot === undefined || beginsAnother(slot, delta, offer)) return open(delta);
    switch (relation(slot, delta)) {
      case "more":
        return slot;
      case "again":
        addFields(slot, delta.fields);
        return undefined;
      case "instead":
        clearArguments(slot);
        return slot;
      case "another": {
        const next = open(delta);
        next.name = slot.name;
        next.together = slot.together;
        next.together.push(next);
        return next;
      }
    }
  }

  return {
    get count() {
      return slots.length;
    },
    get unkeptChars() {
      return unkept.chars;
    },
    names: () => slots.map((slot) => slot.name).filter((name) => name !== ""),
    push(value, out) {
      const delta = readCallDelta(value);
      if (delta === undefined) return;
      const slot = slotFor(delta);
      if (slot === undefined) return;
      if (slot.ordinal >= maxCalls) {
        unkept.take(slot, delta);
        return;
      }
      const before = slots.at(slot.ordinal - 1);
      if (slot.ordinal > 0 && before !== undefined) announce(before, ids, out);
      take(slot, delta, { ids, offer }, out);
      if (slot.wireId !== "") byWireId.set(slot.wireId, slot);
    },
    finish(ending) {
      const starts: ModelEvent[] = [];
      for (const slot of slots) announce(slot, ids, starts);
      return [...starts, ...endsOf(slots, unkept, ending, ids), ...unkept.events(slots.length)];
    },
  };
}

/** Returns the ends of the kept calls. */
function endsOf(
  slots: readonly Slot[],
  { last }: UnkeptCalls,
  ending: Ending,
  ids: CallIds,
): readonly ModelEvent[] {
  const torn = new Set(slots.filter((slot) => wholeObject(slot) === undefined).map((slot) => slot.together));
  // If the newest call that is not kept is unreadable, its boundary with the kept calls before it is unsure too.
  if (last?.end.isWhole === false) torn.add(last.together);
  return slots
    .filter((slot) => !isEmpty(slot))
    .map((slot) => settle(slot, { ending, torn: slot.together.length > 1 && torn.has(slot.together) }, ids));
}

/** Adds a delta to a call, and adds the events for it to `out`. */
function take(
  slot: Slot,
  delta: CallDelta,
  { ids, offer }: { readonly ids: CallIds; readonly offer: OfferedNames },
  out: ModelEvent[],
): void {
  if (slot.wireId === "") slot.wireId = delta.id;
  slot.name = slot.name === "" ? delta.name : joinName(slot.name, delta.name, offer);
  const piece = addArguments(slot, delta.arguments);
  addFields(slot, delta.fields);
  if (slot.id === undefined) {
    if (isWholeName(slot, offer)) announce(slot, ids, out);
  } else if (piece !== "") out.push({ type: "tool-call-delta", index: slot.ordinal, argumentsText: piece });
}

/** Adds the start of a call that has a name, and its arguments so far, if they are not in an event yet. */
function announce(slot: Slot, ids: CallIds, out: ModelEvent[]): void {
  if (slot.name === "" || slot.id !== undefined) return;
  slot.id = ids.take(slot.wireId);
  out.push({ type: "tool-call-start", index: slot.ordinal, id: slot.id, name: slot.name });
  const soFar = textOf(slot);
  if (soFar !== "") out.push({ type: "tool-call-delta", index: slot.ordinal, argumentsText: soFar });
}

/**
 * Returns true if the delta begins a new call although its index is in use. Some servers give every call the same
 * index.
 */
function beginsAnother(slot: Slot, delta: CallDelta, offer: OfferedNames): boolean {
  if (delta.name === "" || slot.name === "") return false;
  if (delta.name !== slot.name) return !continuesName(slot, delta, offer);
  if (delta.id !== "" && slot.wireId !== "") return delta.id !== slot.wireId;
  return slot.object !== undefined;
}

/**
 * Compares a delta's arguments with the arguments that the call already has. Returns `more` for a continuation, `again`
 * for the same arguments, and `instead` for the real arguments after an empty object. Returns `another` for the
 * arguments of another call, which begin a new object after a complete one.
 */
function relation(slot: Slot, delta: CallDelta): "more" | "again" | "instead" | "another" {
  const args = delta.arguments;
  if (slot.name === "" || (typeof args === "string" && !args.trimStart().startsWith("{"))) return "more";
  const whole = wholeObject(slot);
  if (whole === undefined) return saysNothing(slot) ? "instead" : "more";
  const unnamed = delta.name === "" || (delta.id !== "" && delta.id === slot.wireId);
  const next = objectOf(args);
  if (unnamed && next !== undefined && isSame(whole, next)) return "again";
  return unnamed && Object.keys(whole).length === 0 ? "instead" : "another";
}

/** Returns true if the arguments so far only say that there are none, as some servers send before the real ones. */
function saysNothing(slot: Slot): boolean {
  return slot.chars > 0 && slot.chars < 10 && /^\s*(?:\[\s*\]|null|"")\s*$/.test(textOf(slot));
}
