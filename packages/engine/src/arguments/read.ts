/** The arguments of a call as they came, an object or JSON text, as one object. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

export type ReadArguments =
  | { readonly ok: true; readonly value: JsonObject; readonly notes: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** Empty text, a missing object and `null` all mean: no arguments. Text that holds JSON text is read through. */
export function readArguments(raw: string | JsonObject | null | undefined): ReadArguments {
  if (raw === null || raw === undefined) return { ok: true, value: {}, notes: [] };
  if (typeof raw !== "string") return asObject(raw, []);
  if (raw.trim() === "") return { ok: true, value: {}, notes: [] };
  const parsed = parseJson(raw);
  if (!parsed.ok) return parsed;
  if (typeof parsed.value === "string" && parsed.value.trim().startsWith("{")) {
    const inner = parseJson(parsed.value);
    return inner.ok ? asObject(inner.value, ["the arguments were JSON text inside JSON text"]) : inner;
  }
  return asObject(parsed.value, []);
}

function parseJson(text: string): { ok: true; value: JsonValue } | { ok: false; message: string } {
  try {
    return { ok: true, value: JSON.parse(text) as JsonValue };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, message: `the arguments are not valid JSON (${reason.slice(0, 200)})` };
  }
}

function asObject(value: JsonValue, notes: readonly string[]): ReadArguments {
  if (isJsonObject(value)) {
    if (isTooDeep(value)) return { ok: false, message: tooDeepMessage };
    return { ok: true, value, notes };
  }
  if (value === null) return { ok: true, value: {}, notes };
  return { ok: false, message: `the arguments must be a JSON object, but are ${describe(value)}` };
}

/** No tool has parameters as deep as this. */
const mostLevels = 100;

export const tooDeepMessage = `the arguments are nested more than ${mostLevels} levels deep`;

/** True for what cannot be walked, or written as JSON, without an end of the stack. */
export function isTooDeep(value: JsonValue): boolean {
  let layer: JsonValue[] = [value];
  for (let level = 0; layer.length > 0; level++) {
    if (level >= mostLevels) return true;
    layer = layer.flatMap((one) =>
      typeof one === "object" && one !== null ? Object.values(one).filter(isNested) : [],
    );
  }
  return false;
}

function isNested(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}

/** A value in a few words, for messages: `the string "abc"`, `an array of 3`. */
export function describe(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (typeof value === "string")
    return `the string ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object") return `an object with ${keysInWords(value)}`;
  return `the ${typeof value} ${value}`;
}

function keysInWords(value: JsonObject): string {
  const keys = Object.keys(value);
  if (keys.length === 0) return "no keys";
  const shown = keys.slice(0, 5).map((key) => JSON.stringify(key.slice(0, 40)));
  return `the keys ${shown.join(", ")}${keys.length > 5 ? ", …" : ""}`;
}
