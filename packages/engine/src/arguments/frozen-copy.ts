/** Copies arguments and freezes the copy, so that a call runs with exactly the arguments that were shown and allowed. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

export function frozenCopy(args: JsonObject): JsonObject {
  // The copy is built with `fromEntries`, because an assignment to the key `__proto__` would set the prototype.
  return Object.freeze(
    Object.fromEntries(Object.entries(args).map(([key, value]) => [key, frozenValue(value)])),
  );
}

function frozenValue(value: JsonValue): JsonValue {
  if (isJsonObject(value)) return frozenCopy(value);
  return Array.isArray(value) ? (Object.freeze(value.map(frozenValue)) as JsonValue[]) : value;
}
