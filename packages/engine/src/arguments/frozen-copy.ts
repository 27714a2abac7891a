/** Arguments that nothing can change any more: what was shown and decided on is what runs. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

export function frozenCopy(args: JsonObject): JsonObject {
  // Made of entries, so that a key such as `__proto__` stays a key.
  return Object.freeze(
    Object.fromEntries(Object.entries(args).map(([key, value]) => [key, frozenValue(value)])),
  );
}

function frozenValue(value: JsonValue): JsonValue {
  if (isJsonObject(value)) return frozenCopy(value);
  return Array.isArray(value) ? (Object.freeze(value.map(frozenValue)) as JsonValue[]) : value;
}
