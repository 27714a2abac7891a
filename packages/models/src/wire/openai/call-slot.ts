/** Holds one call of an answer while its arguments arrive, and returns its final event. */
import { defined, isJsonObject, type JsonObject, type ModelEvent } from "@localharness/protocol";
import { parseObject } from "../../answer/arguments-object.ts";
import type { CallDelta } from "../../answer/call-delta.ts";
import type { CallIds } from "../../answer/call-ids.ts";
import { cutOff, type Ending } from "../../answer/cut-off.ts";
import { createObjectEnd, type ObjectEnd } from "../../answer/object-end.ts";
import { createFieldJoiner, type FieldJoiner } from "../../origin/join-fields.ts";

export interface Slot {
  /** The position among the calls of this answer, from 0. */
  readonly ordinal: number;
  wireId: string;
  id: string | undefined;
  name: string;
  pieces: string[];
  chars: number;
  end: ObjectEnd;
  /** The arguments, if they came as one object. */
  object: JsonObject | undefined;
  /**
   * The calls whose arguments came without a separator, including this call. If one of them is unreadable, all are
   * refused.
   */
  together: Slot[];
  /** The other fields of the call; undefined if none came. */
  fields: FieldJoiner | undefined;
}

const maxArgumentChars = 16 * 1024 * 1024;

export function createSlot(ordinal: number): Slot {
  const slot: Slot = {
    ordinal,
    wireId: "",
    id: undefined,
    name: "",
    pieces: [],
    chars: 0,
    end: createObjectEnd(),
    object: undefined,
    together: [],
    fields: undefined,
  };
  slot.together.push(slot);
  return slot;
}

/** Returns the arguments received so far, as text. */
export function textOf(slot: Slot): string {
  return slot.object === undefined ? slot.pieces.join("") : JSON.stringify(slot.object);
}

/** Adds the arguments of one delta, and returns them as text for the screen. */
export function addArguments(slot: Slot, args: CallDelta["arguments"]): string {
  if (typeof args !== "string") {
    const text = JSON.stringify(args);
    if (slot.object === undefined && slot.pieces.length === 0) slot.object = args;
    else addText(slot, text);
    return text;
  }
  addText(slot, args);
  return args;
}

function addText(slot: Slot, text: string): void {
  if (slot.object !== undefined) {
    if (text.trim() === "") return;
    const before = JSON.stringify(slot.object);
    slot.object = undefined;
    addText(slot, before);
  }
  slot.chars += text.length;
  if (slot.chars > maxArgumentChars) slot.pieces = [];
  else if (text !== "") slot.pieces.push(text);
  slot.end.push(text);
}

/** Adds the other fields of one delta. */
export function addFields(slot: Slot, fields: JsonObject | undefined): void {
  if (fields === undefined) return;
  slot.fields ??= createFieldJoiner();
  slot.fields.push(fields);
}

/** Removes the arguments received so far, because the real arguments or those of the next call follow. */
export function clearArguments(slot: Slot): void {
  slot.object = undefined;
  slot.pieces = [];
  slot.chars = 0;
  slot.end = createObjectEnd();
}

/** Returns the arguments if they are a complete object; otherwise undefined. */
export function wholeObject(slot: Slot): JsonObject | undefined {
  if (slot.object !== undefined) return slot.object;
  return slot.end.isWhole ? parseObject(slot.pieces.join("")) : undefined;
}

export function isEmpty(slot: Slot): boolean {
  return slot.name === "" && slot.chars === 0 && slot.object === undefined;
}

/**
 * Returns the end of the call, or an error. If `ending` is not `whole`, arguments that are not JSON were cut off.
 * `torn` means that another call, which came together with this call, is unreadable, so that the boundary between the
 * two is unsure.
 */
export function settle(
  slot: Slot,
  { ending, torn }: { readonly ending: Ending; readonly torn: boolean },
  ids: CallIds,
): ModelEvent {
  const { ordinal: index, name, wireId } = slot;
  if (slot.chars > maxArgumentChars) {
    const message = `The arguments of ${name} are longer than ${maxArgumentChars} characters; nothing was run. Do it in smaller steps.`;
    return { type: "tool-call-error", index, raw: "", reason: "too-long", message, name };
  }
  const text = textOf(slot);
  if (name === "") {
    const message = "The call names no tool.";
    return { type: "tool-call-error", index, raw: text, reason: "unreadable", message };
  }
  const cut = slot.object === undefined ? cutOff(name, text, ending) : undefined;
  if (cut !== undefined) {
    return { type: "tool-call-error", index, raw: text, reason: "incomplete", message: cut, name };
  }
  if (torn) {
    const message = `The arguments of ${name} are not a single JSON object; nothing was run. Write each call separately.`;
    return { type: "tool-call-error", index, raw: text, reason: "unreadable", message, name };
  }
  const args = slot.object ?? (text.trim() === "" ? "{}" : text);
  const id = slot.id ?? ids.take(wireId);
  const fields = slot.fields?.value();
  return { type: "tool-call-end", index, id, name, arguments: args, ...defined({ fields }) };
}

/** Returns true if both objects have the same JSON text. */
export function isSame(one: JsonObject, other: JsonObject): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns a delta's arguments if they are a complete object by themselves; otherwise undefined. */
export function objectOf(args: CallDelta["arguments"]): JsonObject | undefined {
  return isJsonObject(args) ? args : parseObject(args);
}
