/** Reads a text as a value of another type, written as in JSON or Python. */
import type { JsonValue } from "./json.ts";
import { readJson } from "./parse-json.ts";
import { hasType, type Types } from "./types-of.ts";

/** Returns the value of a JSON text; undefined for any other text. */
export type ReadJson = (text: string) => JsonValue | undefined;

/**
 * Returns the value that a text contains. Tries null, boolean, number, and then list or object, each only if `types` contains
 * it. Returns undefined if the text fits none of them.
 */
export function convertText(text: string, types: Types, read: ReadJson = readJson): JsonValue | undefined {
  const trimmed = text.trim();
  if (types.has("null") && /^(?:null|None)$/.test(trimmed)) return null;
  if (types.has("boolean") && /^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === "true";
  const number = toNumber(trimmed, types);
  if (number !== undefined) return number;
  if (trimmed.length > 2 && trimmed.startsWith('"') && trimmed.endsWith('"')) {
    // The model put quotes around the value.
    const inner = read(trimmed);
    return typeof inner === "string" ? convertText(inner, types, read) : undefined;
  }
  if ((types.has("array") && trimmed.startsWith("[")) || (types.has("object") && trimmed.startsWith("{"))) {
    const parsed = read(trimmed);
    if (parsed !== undefined && hasType(parsed, types)) return parsed;
  }
  return undefined;
}

/**
 * Returns the number that the text consists of; undefined if it is none, or `types` does not allow it, or it is not exact. Only
 * where integers alone are allowed may it lose digits, because no long integer is valid there.
 */
function toNumber(written: string, types: Types): number | undefined {
  const text = written.replace(/(?<=\d)_(?=\d)/g, "");
  if (!/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text)) return undefined;
  if (types.has("number")) return exactNumber(text);
  const isWhole = types.has("integer") && /^[-+]?\d+(?:\.0*)?(?:e\+?\d+)?$/i.test(text);
  return isWhole && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/**
 * Returns the value of a number as it is written; undefined if it is infinite, or too long to keep the digits before its
 * point. Such a number is mostly an id.
 */
export function exactNumber(text: string): number | undefined {
  const value = Number(text);
  const isPower = /^[-+]?(?:\d{1,15}(?:\.\d*)?|\.\d+)e/i.test(text);
  const isExact = Number.isSafeInteger(Math.trunc(value)) || String(value) === text || isPower;
  return Number.isFinite(value) && isExact ? value : undefined;
}
