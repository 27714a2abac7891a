/** Declares the result that JSON readers share: the outcome of a value, and the repairs it needed. */
import type { JsonValue, Repair } from "../types.ts";

/** How reading went: `cut` means that the text ended inside the value, `broken` that it cannot be read. */
export type JsonOutcome = "whole" | "cut" | "broken";

/** The state of one read: what is allowed, how deep it stands, and what was repaired. */
export interface JsonReading {
  /** Also unquoted keys and comments, which only text inside a call's own frame may have. */
  readonly lenient: boolean;
  /** How many containers are open around the value, so that a closing quote can be told from a quote in the text. */
  outer: number;
  outcome: JsonOutcome;
  readonly repairs: Repair[];
}

export function jsonReading(lenient: boolean, repairs: Repair[], outer = 0): JsonReading {
  return { lenient, outer, outcome: "whole", repairs };
}

export function noteRepair(repairs: Repair[], repair: Repair): void {
  if (!repairs.includes(repair)) repairs.push(repair);
}

/** Deeper values are refused, so that nothing that walks them later can run out of stack. */
export const maxDepth = 500;

/** Sets an own property whatever the key; `__proto__` never reaches a prototype. */
export function setOwn(target: { [key: string]: JsonValue }, key: string, value: JsonValue): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** The same; an earlier value of the key is dropped, which is noted. */
export function setLast(
  target: { [key: string]: JsonValue },
  key: string,
  value: JsonValue,
  repairs: Repair[],
): void {
  if (Object.hasOwn(target, key)) noteRepair(repairs, "dropped-key");
  setOwn(target, key, value);
}
