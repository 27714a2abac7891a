/** Writes the parts of a call that all formats with one tag per argument share. */
import type { JsonValue } from "../types.ts";
import { plainValue, type WrittenCall } from "./written-call.ts";

/** Returns the arguments of a call, each written by `write`. */
export function args(
  call: WrittenCall,
  write: (key: string, value: JsonValue) => string,
  between = "\n",
): string {
  return Object.entries(call.arguments)
    .map(([key, value]) => write(key, value))
    .join(between);
}

/** Returns the value as text. If it begins or ends with a line feed, adds one at both ends, which readers drop as layout. */
export function laidOut(value: JsonValue): string {
  const text = plainValue(value);
  return /^\r?\n|\n$/.test(text) ? `\n${text}\n` : text;
}

/** Returns the value as XML text. A space at either end becomes a reference, because readers drop it as layout otherwise. */
export function escaped(value: JsonValue): string {
  return plainValue(value)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/^ | $/g, "&#32;");
}

/** Returns the parts that are not empty, one on each line. */
export function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}

/** Returns `<invoke name="...">` with a tag for each parameter. `prefix` is the namespace of all these tags. */
export function invoke(call: WrittenCall, prefix = ""): string {
  const body = args(
    call,
    (key, value) => `<${prefix}parameter name="${key}">${laidOut(value)}</${prefix}parameter>`,
  );
  return lines(`<${prefix}invoke name="${call.name}">`, body, `</${prefix}invoke>`);
}
