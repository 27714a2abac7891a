/**
 * Puts tool calls together from deltas, in whatever shape a server sends them: index sparse, repeated or missing, id or
 * name late, missing or repeated, arguments in pieces, whole, or as an object. Pieces are joined once, at the end.
 */
import { isJsonObject, type JsonObject, type ModelEvent } from "@localharness/protocol";
import type { CallIds } from "../call-ids.ts";

interface Slot {
  /** Place among the calls of this answer. */
  readonly ordinal: number;
  readonly key: number | undefined;
  wireId: string;
  id: string | undefined;
  name: string;
  pieces: string[];
  chars: number;
  object: JsonObject | undefined;
}

export interface CallAssembly {
  /** Takes one element of `tool_calls`. */
  push(delta: unknown, out: ModelEvent[]): void;
  /** All calls, complete. `cut` when the answer hit the output limit: a call that is no JSON then was cut off. */
  finish(cut: boolean): ModelEvent[];
  readonly count: number;
  names(): string[];
}

const maxArgumentChars = 16 * 1024 * 1024;

export function createCallAssembly(ids: CallIds): CallAssembly {
  const slots: Slot[] = [];
  const byKey = new Map<number, Slot>();

  function open(key: number | undefined): Slot {
    const slot: Slot = {
      ordinal: slots.length,
      key,
      wireId: "",
      id: undefined,
      name: "",
      pieces: [],
      chars: 0,
      object: undefined,
    };
    slots.push(slot);
    if (key !== undefined) byKey.set(key, slot);
    return slot;
  }

  function slotFor(delta: Delta): Slot {
    const { key, id, name } = delta;
    if (key !== undefined) {
      const slot = byKey.get(key);
      return slot === undefined || beginsAnother(slot, delta) ? open(key) : slot;
    }
    const known = id === "" ? undefined : slots.findLast((slot) => slot.wireId === id);
    if (known) return known;
    const last = slots.at(-1);
    return last === undefined || id !== "" || name !== "" ? open(undefined) : last;
  }

  return {
    get count() {
      return slots.length;
    },
    names: () => slots.map((slot) => slot.name).filter((name) => name !== ""),
    push(value, out) {
      const delta = readDelta(value);
      if (delta === undefined) return;
      const slot = slotFor(delta);
      if (slot.wireId === "") slot.wireId = delta.id;
      const firstName = slot.name === "" && delta.name !== "";
      if (slot.name === "") slot.name = delta.name;
      const piece = add(slot, delta.arguments);
      if (firstName) {
        slot.id = ids.take(slot.wireId);
        out.push({ type: "tool-call-start", index: slot.ordinal, id: slot.id, name: slot.name });
        const soFar = slot.object === undefined ? slot.pieces.join("") : JSON.stringify(slot.object);
        if (soFar !== "") out.push({ type: "tool-call-delta", index: slot.ordinal, argumentsText: soFar });
      } else if (slot.name !== "" && piece !== "") {
        out.push({ type: "tool-call-delta", index: slot.ordinal, argumentsText: piece });
      }
    },
    finish: (cut) => slots.filter((slot) => !isEmpty(slot)).map((slot) => settle(slot, cut, ids)),
  };
}

interface Delta {
  readonly key: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly arguments: string | JsonObject;
}

function readDelta(value: unknown): Delta | undefined {
  if (!isJsonObject(value)) return undefined;
  const made = isJsonObject(value["function"]) ? value["function"] : value;
  const { index, id } = value;
  const args = made["arguments"];
  return {
    key: typeof index === "number" ? index : undefined,
    id: typeof id === "string" ? id : "",
    name: typeof made["name"] === "string" ? made["name"] : "",
    arguments: typeof args === "string" || isJsonObject(args) ? args : "",
  };
}

/** The index is in use: is this its next piece, or another call of a server that numbers every call alike? */
function beginsAnother(slot: Slot, delta: Delta): boolean {
  if (delta.name === "" || slot.name === "") return false;
  if (delta.id !== "" && slot.wireId !== "") return delta.id !== slot.wireId;
  return delta.name !== slot.name || slot.object !== undefined;
}

function add(slot: Slot, args: string | JsonObject): string {
  if (typeof args !== "string") {
    slot.object = { ...slot.object, ...args };
    return JSON.stringify(args);
  }
  slot.chars += args.length;
  if (slot.chars > maxArgumentChars) slot.pieces = [];
  else if (args !== "") slot.pieces.push(args);
  return args;
}

function isEmpty(slot: Slot): boolean {
  return slot.name === "" && slot.chars === 0 && slot.object === undefined;
}

function settle(slot: Slot, cut: boolean, ids: CallIds): ModelEvent {
  const index = slot.ordinal;
  const { name } = slot;
  const text = slot.pieces.join("");
  if (name === "") {
    return {
      type: "tool-call-error",
      index,
      raw: text,
      reason: "unreadable",
      message: "The call names no tool.",
    };
  }
  if (slot.chars > maxArgumentChars) {
    const message = `The arguments of ${name} are longer than ${maxArgumentChars} characters; nothing was run. Do it in smaller steps.`;
    return { type: "tool-call-error", index, raw: "", reason: "too-long", message, name };
  }
  if (cut && slot.object === undefined && !isJson(text)) {
    const message = `The answer reached its length limit inside the arguments of ${name}; nothing was run. Do it in smaller steps.`;
    return { type: "tool-call-error", index, raw: text, reason: "incomplete", message, name };
  }
  const args = slot.object ?? (text.trim() === "" ? "{}" : text);
  return { type: "tool-call-end", index, id: slot.id ?? ids.take(slot.wireId), name, arguments: args };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
