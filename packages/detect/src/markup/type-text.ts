/** Types the text of an argument that a tag-per-argument format gives without a type. */
import { convertText, hasType, type Schema, typesOf } from "@localharness/schema";
import { parseInner } from "../json/read-json.ts";
import type { JsonValue, Repair } from "../types.ts";

/** What an argument is when the schema does not say: its text, or whatever JSON it is. */
export type Untyped = "text" | "json";

/** Returns a text where the schema allows one, else the narrowest declared type that it reads as, else the text. */
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
  // Where no text is wanted, white space around one says nothing.
  return parsed !== undefined && hasType(parsed, types) ? parsed : text.trim();
}

/** JSON that was escaped as if it stood in a string. */
function unescaped(text: string): string {
  if (!/^\s*[[{]\s*\\?[{[]?\s*\\"/.test(text)) return "";
  const inner = parseInner(`"${text.trim()}"`, []);
  return typeof inner === "string" ? inner : "";
}
