/** Writes the parts that formats with one tag per argument share. */
import type { JsonValue } from "../types.ts";
import { plainValue, type WrittenCall } from "./written-call.ts";

/** Returns the arguments of a call, each as `write` gives it. */
export function args(
  call: WrittenCall,
  write: (key: string, value: JsonValue) => string,
  between = "\n",
): string {
  return Object.entries(call.arguments)
    .map(([key, value]) => write(key, value))
    .join(between);
}

/** Returns the value with a further line feed where the first one inside the tags counts as layout. */
export function laidOut(value: JsonValue): string {
  const text = plainValue(value);
  return /^\r?\n|\n$/.test(text) ? `\n${text}\n` : text;
}

/** XML text; a space at either end is written so that it is not taken for layout. */
export function escaped(value: JsonValue): string {
  return plainValue(value)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/^ | $/g, "&#32;");
}

/** Returns the parts that are not empty, in lines. */
export function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}

/** `<invoke name="...">` with a tag for each parameter; `prefix` is the name space of all of them. */
export function invoke(call: WrittenCall, prefix = ""): string {
  const body = args(
    call,
    (key, value) => `<${prefix}parameter name="${key}">${laidOut(value)}</${prefix}parameter>`,
  );
  return lines(`<${prefix}invoke name="${call.name}">`, body, `</${prefix}invoke>`);
}
