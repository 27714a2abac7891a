/** Converts the arguments of a call, which come as an object or as JSON text, to an object. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { bareArguments, describe, parseJson, unsoundPart } from "@localharness/schema";

export type ReadArguments =
  | { readonly ok: true; readonly value: JsonObject; readonly notes: readonly string[] }
  /** `sound` is false for readable arguments that must not be used: ambiguous, nested too deeply, or impossible to store. */
  | { readonly ok: false; readonly sound: boolean; readonly message: string };

/** The maximum number of times that JSON text may be inside JSON text. */
const maxLayers = 3;

/**
 * Reads the arguments. Empty text, a missing value, `null` and `[]` mean no arguments; a list with one object means that
 * object. JSON inside a JSON string is parsed too, and marks around the text, such as a closing fence, are ignored.
 */
export function readArguments(raw: string | JsonObject | null | undefined): ReadArguments {
  if (raw === null || raw === undefined) return { ok: true, value: {}, notes: [] };
  return typeof raw === "string" ? readText(raw, [], maxLayers) : asObject(raw, []);
}

function readText(text: string, notes: readonly string[], layers: number): ReadArguments {
  const bare = bareArguments(text);
  const noted = bare === text.trim() ? notes : [...notes, "the marks around the arguments were ignored"];
  if (bare === "") return { ok: true, value: {}, notes: noted };
  const parsed = parseJson(bare);
  if (!parsed.ok) {
    return { ok: false, sound: parsed.sound, message: `the arguments are ${parsed.message}` };
  }
  const { value } = parsed;
  if (typeof value !== "string" || layers === 0 || !/^\s*(?:[{["`]|null|$)/.test(value)) {
    return asObject(value, noted);
  }
  const layer = "the arguments were JSON text inside JSON text";
  const isTold = value.trim() === "" || noted.includes(layer);
  return readText(value, isTold ? noted : [...noted, layer], layers - 1);
}

function asObject(given: JsonValue, notes: readonly string[]): ReadArguments {
  const [only, ...others] = Array.isArray(given) ? given : [given];
  const value = others.length === 0 && (only === undefined || isJsonObject(only)) ? (only ?? null) : given;
  if (isJsonObject(value)) {
    const problem = unsoundPart(value);
    const noted = value === given ? notes : [...notes, "the arguments were in a list"];
    return problem === undefined
      ? { ok: true, value, notes: noted }
      : { ok: false, sound: false, message: problem };
  }
  if (value === null) return { ok: true, value: {}, notes };
  const message = `the arguments must be a JSON object, but are ${describe(value)}`;
  return { ok: false, sound: true, message };
}
