/** Writes values in Gemma's object notation. */
import type { JsonValue } from "../types.ts";
import type { WrittenCall } from "./written-call.ts";

/** Returns the value with `quote` before and after each text, and without quotes around keys. */
export function gemmaValue(value: JsonValue | WrittenCall["arguments"], quote: string): string {
  if (typeof value === "string") return `${quote}${value}${quote}`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => gemmaValue(item, quote)).join(",")}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${key}:${gemmaValue(item, quote)}`)
    .join(",")}}`;
}
