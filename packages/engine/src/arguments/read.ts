/** The arguments of a call as they came, an object or JSON text, as one object. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { parseJson, unsoundValue } from "./parse-json.ts";

export type ReadArguments =
  | { readonly ok: true; readonly value: JsonObject; readonly notes: readonly string[] }
  /** `sound` is false when it could be read, but must not be used: in two ways, or what no file can hold. */
  | { readonly ok: false; readonly sound: boolean; readonly message: string };

/** Empty text, a missing object and `null` all mean: no arguments. Text that holds JSON text is read through. */
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

/** No tool has parameters as deep as this. */
const mostLevels = 100;

export const tooDeepMessage = `the arguments are nested more than ${mostLevels} levels deep`;

/** True for what cannot be walked, or written as JSON, without an end of the stack. */
export function isTooDeep(value: JsonValue): boolean {
  return unsoundPart(value) === tooDeepMessage;
}

/** What is wrong inside a value, in words: nested too deep, or a part that must not be used. */
export function unsoundPart(value: JsonValue): string | undefined {
  let layer: [path: string, value: JsonValue][] = [["", value]];
  for (let level = 0; layer.length > 0; level++) {
    if (level >= mostLevels) return tooDeepMessage;
    const next: typeof layer = [];
    for (const [path, one] of layer) {
      if (typeof one !== "object" || one === null) continue;
      for (const [key, part] of Object.entries(one)) {
        const name = path === "" ? key : `${path}.${key}`;
        const problem = unsoundValue(key) ?? unsoundValue(part);
        if (problem !== undefined)
          return `the argument ${JSON.stringify(name.slice(0, 80))} holds ${problem}`;
        if (typeof part === "object" && part !== null) next.push([name, part]);
      }
    }
    layer = next;
  }
  return undefined;
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
