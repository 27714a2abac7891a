/** Finds the type of an argument that a format with one tag per argument writes as text. */
import { convertText, hasType, type Schema, typesOf } from "@localharness/schema";
import { parseInner } from "../json/read-json.ts";
import type { JsonValue, Repair } from "../types.ts";

/** The reading of an argument without a type in the schema: as a text, or as JSON if it is JSON. */
export type Untyped = "text" | "json";

/** Returns the text if the schema allows a text, else its value in the narrowest type of the schema that fits, else the text. */
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
  // If the schema allows no text, white space around it has no meaning.
  return parsed !== undefined && hasType(parsed, types) ? parsed : text.trim();
}

/** Returns JSON without the escapes, if its quotes are escaped as in a string; an empty text for any other text. */
function unescaped(text: string): string {
  if (!/^\s*[[{]\s*\\?[{[]?\s*\\"/.test(text)) return "";
  const inner = parseInner(`"${text.trim()}"`, []);
  return typeof inner === "string" ? inner : "";
}
