/** Finds the type of an argument that a format with one tag per argument writes as text. */
import { convertText, hasType, isTextOnly, itemSchema, type Schema, typesOf } from "@localharness/schema";
import { parseInner } from "../json/read-json.ts";
import type { JsonValue, Repair } from "../types.ts";

/** The reading of an argument without a type in the schema: as a text, or as JSON if it is JSON. */
export type Untyped = "text" | "json";

/**
 * Returns the text if the schema allows texts (null for `null` if it allows both), else its value in a type of the schema
 * that fits, else the trimmed text. Without types in the schema, returns the text or its JSON value, as `untyped` says.
 */
export function typeText(
  text: string,
  schema: Schema | undefined,
  untyped: Untyped,
  repairs: Repair[] = [],
): JsonValue {
  const types = schema ? typesOf(schema) : new Set<never>();
  if (types.size === 0) {
    const value = untyped === "json" ? parseInner(text, repairs, false) : undefined;
    return value === undefined ? text : value;
  }
  if (types.has("string")) return types.has("null") && /^\s*null\s*$/.test(text) ? null : text;
  const typed = convertText(text, types, (inner) => parseInner(inner, repairs));
  if (typed !== undefined) return typed;
  const parsed = parseInner(text, repairs) ?? parseInner(unescaped(text), repairs);
  if (parsed !== undefined && hasType(parsed, types)) return parsed;
  // If the schema allows no text, white space around it has no meaning.
  return (types.has("array") ? listInText(text, schema) : undefined) ?? text.trim();
}

/** Returns the list in a text without brackets: `1, 2, 3`, numbers on lines, or several texts on lines; else undefined. */
export function listInText(text: string, schema: Schema | undefined): JsonValue[] | undefined {
  const item = schema && itemSchema(schema, 0);
  if (isTextOnly(item)) {
    const lines = text.split("\n").flatMap((line) => line.trim() || []);
    const isMarked = lines.every((line) => /^[-*] /.test(line));
    return lines.length < 2 ? undefined : lines.map((line) => (isMarked ? line.slice(2).trim() : line));
  }
  const types = item ? typesOf(item) : new Set<never>();
  if (!types.has("number") && !types.has("integer")) return undefined;
  const numbers = text
    .trim()
    .split(/[,\s]+/)
    .map((part) => convertText(part, types));
  return numbers.every((number) => typeof number === "number") ? numbers : undefined;
}

/** Returns JSON without the escapes, if its quotes are escaped as in a string; an empty text for any other text. */
function unescaped(text: string): string {
  if (!/^\s*[[{]\s*(?:\\?[{[]\s*|\\\s*)?\\"/.test(text)) return "";
  const inner = parseInner(`"${text.trim()}"`, []);
  return typeof inner === "string" ? inner : "";
}
