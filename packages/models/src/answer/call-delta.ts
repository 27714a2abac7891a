/** Reads one element of `tool_calls`, in any of the shapes that servers send. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { callFieldsOf } from "../origin/answer-fields.ts";

export interface CallDelta {
  /** The element's `index`; undefined if it has none. */
  readonly key: number | undefined;
  /** The id; empty if the element has none. */
  readonly id: string;
  /** The name of the tool; empty if the element has none. */
  readonly name: string;
  readonly arguments: string | JsonObject;
  /** The other fields; undefined if there are none. */
  readonly fields: JsonObject | undefined;
}

/** Returns the element as a `CallDelta`; undefined if the value is not an object. */
export function readCallDelta(value: unknown): CallDelta | undefined {
  if (!isJsonObject(value)) return undefined;
  const made = isJsonObject(value["function"]) ? value["function"] : value;
  const { index, id } = value;
  return {
    key: typeof index === "number" ? index : undefined,
    id: typeof id === "string" ? id : "",
    name: typeof made["name"] === "string" ? made["name"] : "",
    arguments: readCallArguments(made["arguments"]),
    fields: callFieldsOf(value),
  };
}

/** Returns the elements of `tool_calls`. Also accepts a single call that a server sends without a list. */
export function callsOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  return value !== undefined && isJsonObject(value) ? [value] : [];
}

/**
 * Returns text and objects unchanged, and an empty text for null or undefined. Returns any other value as JSON text,
 * which the engine then refuses.
 */
export function readCallArguments(value: unknown): string | JsonObject {
  if (typeof value === "string" || isJsonObject(value)) return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
