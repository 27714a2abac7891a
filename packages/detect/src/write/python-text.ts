/** Writes calls in Python's syntax. */
import type { JsonValue } from "../types.ts";
import type { WrittenCall } from "./written-call.ts";

export function pythonCall(call: WrittenCall): string {
  const args = Object.entries(call.arguments).map(([key, value]) => `${key}=${pythonValue(value)}`);
  return `${call.name}(${args.join(", ")})`;
}

function pythonValue(value: JsonValue): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${pythonValue(item)}`)
    .join(", ")}}`;
}
