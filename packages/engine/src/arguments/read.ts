/** Converts the arguments of a call, which come as an object or as JSON text, to an object. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { describe, parseJson, unsoundPart } from "@localharness/schema";

export type ReadArguments =
  | { readonly ok: true; readonly value: JsonObject; readonly notes: readonly string[] }
  /** `sound` is false for readable arguments that must not be used: ambiguous, nested too deeply, or impossible to store. */
  | { readonly ok: false; readonly sound: boolean; readonly message: string };

/** Reads the arguments. Empty text, a missing value and `null` mean no arguments. JSON inside a JSON string is parsed too. */
export function readArguments(raw: string | JsonObject | null | undefined): ReadArguments {
  if (raw === null || raw === undefined) return { ok: true, value: {}, notes: [] };
  if (typeof raw !== "string") return asObject(raw, []);
  if (raw.trim() === "") return { ok: true, value: {}, notes: [] };
  const parsed = parseJson(raw);
  if (!parsed.ok) return unread(parsed);
  if (typeof parsed.value === "string" && parsed.value.trim().startsWith("{")) {
    const inner = parseJson(parsed.value);
    return inner.ok
      ? asObject(inner.value, ["the arguments were JSON text inside JSON text"])
      : unread(inner);
  }
  return asObject(parsed.value, []);
}

function unread({ sound, message }: { sound: boolean; message: string }): ReadArguments {
  return { ok: false, sound, message: `the arguments are ${message}` };
}

function asObject(value: JsonValue, notes: readonly string[]): ReadArguments {
  if (isJsonObject(value)) {
    const problem = unsoundPart(value);
    return problem === undefined ? { ok: true, value, notes } : { ok: false, sound: false, message: problem };
  }
  if (value === null) return { ok: true, value: {}, notes };
  const message = `the arguments must be a JSON object, but are ${describe(value)}`;
  return { ok: false, sound: true, message };
}
