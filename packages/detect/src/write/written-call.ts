/** Declares writers of calls, and writes the parts that several of them share. */
import type { JsonValue } from "../types.ts";

export interface WrittenCall {
  readonly name: string;
  readonly arguments: { readonly [key: string]: JsonValue };
}

/** Returns the calls of one turn, in order, as one text that the detector can read. */
export type CallWriter = (calls: readonly WrittenCall[]) => string;

/** Returns a text as it is, anything else as JSON. */
export function plainValue(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function asObject(call: WrittenCall, nameKey = "name", argumentsKey = "arguments"): string {
  return JSON.stringify({ [nameKey]: call.name, [argumentsKey]: call.arguments });
}

/** Returns a writer that writes each call separately and joins them with `between`. */
export function each(write: (call: WrittenCall, index: number) => string, between = "\n"): CallWriter {
  return (calls) => calls.map(write).join(between);
}

export function asList(calls: readonly WrittenCall[], argumentsKey = "arguments"): string {
  return `[${calls.map((call) => asObject(call, "name", argumentsKey)).join(", ")}]`;
}

/** Returns a writer that writes each call as a JSON object between two texts. */
export function around(open: string, close: string): CallWriter {
  return each((call) => `${open}${asObject(call)}${close}`);
}

export function argumentsJson(call: WrittenCall): string {
  return JSON.stringify(call.arguments);
}
