/** Declares writers of calls, and joins what they write. */
import type { JsonValue } from "../types.ts";

/** A call to be written out. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: { readonly [key: string]: JsonValue };
}

/** Writes the calls of one turn, in order, as one text that the detector reads back. */
export type CallWriter = (calls: readonly WrittenCall[]) => string;

/** Returns a text as it is, anything else as JSON. */
export function plainValue(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function asObject(call: WrittenCall, nameKey = "name", argumentsKey = "arguments"): string {
  return JSON.stringify({ [nameKey]: call.name, [argumentsKey]: call.arguments });
}

/** Returns every call on its own, joined. */
export function each(write: (call: WrittenCall, index: number) => string, between = "\n"): CallWriter {
  return (calls) => calls.map(write).join(between);
}

/** Returns all calls as one JSON list. */
export function asList(calls: readonly WrittenCall[], argumentsKey = "arguments"): string {
  return `[${calls.map((call) => asObject(call, "name", argumentsKey)).join(", ")}]`;
}

/** Returns every call as a JSON object between two texts. */
export function around(open: string, close: string): CallWriter {
  return each((call) => `${open}${asObject(call)}${close}`);
}

/** Returns the arguments alone, as JSON. */
export function argumentsJson(call: WrittenCall): string {
  return JSON.stringify(call.arguments);
}
