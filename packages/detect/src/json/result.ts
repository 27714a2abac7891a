/** Declares the result that JSON readers share: the outcome of a value, and the repairs it needed. */
import type { JsonObject, JsonValue, Repair } from "../types.ts";

/** The outcome of reading: `cut` means that the text ended inside the value, `broken` that the value cannot be read. */
export type JsonOutcome = "whole" | "cut" | "broken";

export interface JsonReading {
  /** True to accept unquoted keys and words, missing closers and comments. Text that is certainly a call may have them. */
  readonly lenient: boolean;
  /** The number of open containers around the value. It helps to distinguish a closing quote from a quote in the text. */
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

/** The maximum depth of a value. Code that walks a deeper value by recursion could run out of stack. */
export const maxDepth = 500;

/** Sets a property of the object itself, even for the key `__proto__`, which would otherwise set its prototype. */
export function setOwn(target: JsonObject, key: string, value: JsonValue): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** Sets a property like `setOwn`. Adds a repair if an earlier value of the key is dropped. */
export function setLast(target: JsonObject, key: string, value: JsonValue, repairs: Repair[]): void {
  if (Object.hasOwn(target, key)) noteRepair(repairs, "dropped-key");
  setOwn(target, key, value);
}
