/**
 * Joins the name of a call from its deltas. Servers send it whole once, whole with every delta, in pieces (`read`, `_file`), or
 * each time with what came before (`read`, `read_file`).
 */
import { type ToolNames, toolNames } from "@localharness/engine";
import type { CallDelta } from "../../answer/call-delta.ts";
import type { Slot } from "./call-slot.ts";

/** The tools on offer, as far as the names of calls are concerned. */
export interface OfferedNames {
  /** Returns true if the name means a tool on offer, or if no tools are known. */
  isTool(name: string): boolean;
  /** Returns true if a longer name of a tool on offer begins with this one. */
  mayGoOn(name: string): boolean;
  readonly isKnown: boolean;
}

export function createOffer(names: readonly string[]): OfferedNames {
  let index: ToolNames<{ readonly name: string }> | undefined;
  return {
    isKnown: names.length > 0,
    isTool(name) {
      index ??= toolNames(names.map((one) => ({ name: one })));
      return names.length === 0 || index.resolve(name) !== undefined;
    },
    mayGoOn: (name) => names.some((one) => one.length > name.length && one.startsWith(name)),
  };
}

/** Returns the name of the call after this delta. */
export function joinName(soFar: string, piece: string, offer: OfferedNames): string {
  if (piece === "" || piece === soFar) return soFar;
  const spellings = piece.startsWith(soFar) ? [piece, soFar + piece] : [soFar + piece];
  return spellings.find((name) => offer.isTool(name) || offer.mayGoOn(name)) ?? spellings[0] ?? soFar;
}

/**
 * Returns true if the name in the delta, which differs from the call's name, is another piece of it. Returns false if the delta
 * begins another call: the call has arguments, its id is another one, or both names are tools and the joined name is not.
 */
export function continuesName(slot: Slot, delta: CallDelta, offer: OfferedNames): boolean {
  if (slot.chars > 0 || slot.object !== undefined) return false;
  if (delta.id !== "" && slot.wireId !== "" && delta.id !== slot.wireId) return false;
  const isSameId = delta.id !== "" && delta.id === slot.wireId;
  if (!offer.isKnown) return false;
  const joined = joinName(slot.name, delta.name, offer);
  const isCertain = offer.isTool(joined) || offer.mayGoOn(joined);
  if (isCertain) return joined !== delta.name || isSameId || !offer.isTool(slot.name);
  return !offer.isTool(delta.name) && !offer.isTool(slot.name);
}

/** Returns true if no later delta can make the name longer, so that the call can be shown. */
export function isWholeName(slot: Slot, offer: OfferedNames): boolean {
  if (slot.chars > 0 || slot.object !== undefined || !offer.isKnown) return true;
  return offer.isTool(slot.name) && !offer.mayGoOn(slot.name);
}
