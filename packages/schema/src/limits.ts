/** Checks a value, without its members, against the type, listed values, size and pattern that a schema demands. */
import { boundOf, isExcluded } from "./bounds.ts";
import { isSame, type JsonValue } from "./json.ts";
import { matches } from "./matches.ts";
import type { Schema } from "./schema.ts";
import { hasType, type Types, typesOf } from "./types-of.ts";
import { expectation } from "./words.ts";

/**
 * Returns, in words, the first demand of the schema that the value does not meet; undefined if it meets all of them. A
 * pattern that `matches` does not run counts as met.
 */
export function limitOf(value: JsonValue, schema: Schema | undefined): string | undefined {
  if (schema === undefined) return undefined;
  const types = typesOf(schema);
  const isTyped = types.size === 0 || hasType(value, types);
  if (!isTyped) return `${expectation(schema)}${hint(value, types)}`;
  if (!isListed(value, schema)) return expectation(schema);
  if (isExcluded(value, schema)) return "a value that the schema does not exclude";
  if (typeof value === "number") {
    // JSON parsers silently lose digits of longer integers.
    const isLong = types.has("integer") && !types.has("number") && !Number.isSafeInteger(value);
    if (isLong) return `an integer${ofFewDigits}`;
    const isBeyond = value < limit(schema, "minimum", value) || value > limit(schema, "maximum", value);
    return isBeyond ? expectation(schema) : boundOf(value, schema);
  }
  if (typeof value !== "string" && !Array.isArray(value)) return boundOf(value, schema);
  const [least, most] = typeof value === "string" ? ["minLength", "maxLength"] : ["minItems", "maxItems"];
  const size = value.length;
  if (size < limit(schema, least, size)) return `a length of at least ${limit(schema, least, size)}`;
  if (size > limit(schema, most, size)) return `a length of at most ${limit(schema, most, size)}`;
  const { pattern } = schema.node;
  if (typeof value !== "string") return boundOf(value, schema);
  if (typeof pattern !== "string") return undefined;
  return matches(pattern, value) === false ? `text that matches ${pattern}` : undefined;
}

const ofFewDigits = " of at most 15 digits";

/** Returns what to add about a number that may have lost digits where a text is wanted, or a text that would lose some. */
function hint(value: JsonValue, types: Types): string {
  const isNumber = typeof value === "number" && Number.isFinite(value) && !Number.isSafeInteger(value);
  if (isNumber && types.has("string")) return " (in quotes, so that no digit is lost)";
  const isLong = typeof value === "string" && /^\s*[-+]?\d{16,}(?:\.\d*)?\s*$/.test(value);
  return isLong && (types.has("integer") || types.has("number")) ? ofFewDigits : "";
}

function limit({ node }: Schema, keyword: string, otherwise: number): number {
  return typeof node[keyword] === "number" ? node[keyword] : otherwise;
}

/** Returns true if `const` and `enum` allow the value. A schema without these keywords allows every value. */
export function isListed(value: JsonValue, schema: Schema | undefined): boolean {
  const { const: only = value, enum: options } = schema?.node ?? {};
  return isSame(only, value) && (!Array.isArray(options) || options.some((one) => isSame(one, value)));
}
