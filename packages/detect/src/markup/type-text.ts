/** Finds the type of an argument that a format with one tag per argument writes as text. */
import { convertText, hasType, type Schema, type Types, typesOf } from "@localharness/schema";
import { parseInner } from "../json/read-json.ts";
import type { JsonValue, Repair } from "../types.ts";
import { listInText } from "../xml/list-in-text.ts";
import { parseXmlValue } from "../xml/read-xml.ts";

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
  const bare = withoutFence(text);
  if (bare !== undefined) return typeText(bare, schema, untyped, repairs);
  const typed = convertText(text, types, (inner) => parseInner(inner, repairs));
  if (typed !== undefined) return typed;
  const parsed = parseInner(text, repairs) ?? parseInner(unescaped(text), repairs);
  if (parsed !== undefined && hasType(parsed, types)) return parsed;
  const nested = elementsIn(text, types, schema, repairs);
  if (nested !== undefined) return nested;
  // If the schema allows no text, white space around it has no meaning.
  return (types.has("array") ? listInText(text, schema) : undefined) ?? text.trim();
}

/** Returns the text inside a code fence that is the whole value; undefined for any other text. */
function withoutFence(text: string): string | undefined {
  return /^\s*```\w*\n([\s\S]*)\n\s*```\s*$/.exec(text)?.[1];
}

/** Returns the list or the object that is written as elements: `<day>mon</day><hour>9</hour>`; undefined for other text. */
function elementsIn(
  text: string,
  types: Types,
  schema: Schema | undefined,
  repairs: Repair[],
): JsonValue | undefined {
  const trimmed = text.trim();
  const isMarkup = trimmed.startsWith("<") && trimmed.endsWith(">");
  if (!isMarkup || !(types.has("array") || types.has("object"))) return undefined;
  const value = parseXmlValue(text, schema, repairs);
  return typeof value === "object" && value !== null && hasType(value, types) ? value : undefined;
}

/** Returns JSON without the escapes, if its quotes are escaped as in a string; an empty text for any other text. */
function unescaped(text: string): string {
  if (!/^\s*[[{]\s*(?:\\?[{[]\s*|\\\s*)?\\"/.test(text)) return "";
  const inner = parseInner(`"${text.trim()}"`, []);
  return typeof inner === "string" ? inner : "";
}
