/** One element of `tool_calls`, in whatever shape a server sends it. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

export interface CallDelta {
  /** Its `index`, where it has one. */
  readonly key: number | undefined;
  /** Empty when it says none, as `name` is. */
  readonly id: string;
  readonly name: string;
  readonly arguments: string | JsonObject;
}

export function readCallDelta(value: unknown): CallDelta | undefined {
  if (!isJsonObject(value)) return undefined;
  const made = isJsonObject(value["function"]) ? value["function"] : value;
  const { index, id } = value;
  return {
    key: typeof index === "number" ? index : undefined,
    id: typeof id === "string" ? id : "",
    name: typeof made["name"] === "string" ? made["name"] : "",
    arguments: readCallArguments(made["arguments"]),
  };
}

/** The elements of `tool_calls`; a server that sends the only one without a list means the same. */
export function callsOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  return value !== undefined && isJsonObject(value) ? [value] : [];
}

/** Text and objects as they are; what is neither as its JSON, for which the engine has a refusal. None is no text. */
export function readCallArguments(value: unknown): string | JsonObject {
  if (typeof value === "string" || isJsonObject(value)) return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
