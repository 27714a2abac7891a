/**
 * Values typed by the schema: `"3"` becomes 3 where a number is wanted, a lone value becomes a list where a list is,
 * stringified JSON is read. What was changed is noted; what cannot be typed is a problem, never a guess.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import type { JsonSchema, JsonSchemaType } from "../json-schema.ts";
import { foldName } from "./names.ts";
import { parseJson } from "./parse-json.ts";
import { describe, unsoundPart } from "./read.ts";

export type Coerced =
  | { readonly ok: true; readonly value: JsonValue; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** `path` names the value in messages: `"items[2].name"`. */
export function coerceValue(value: JsonValue, schema: JsonSchema, path: string): Coerced {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return coerceUnion(value, branches, path);
  const typed = coerceType(value, schema, path);
  return typed.ok ? checkLimits(typed.value, schema, path, typed.notes) : typed;
}

/** What a schema wants, in words: `one of "name", "size"`, `an integer`. */
export function expectation(schema: JsonSchema): string {
  if (schema.enum !== undefined)
    return `one of ${schema.enum.map((option) => JSON.stringify(option)).join(", ")}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return branches.map(expectation).join(" or ");
  const types = typesOf(schema);
  if (types.length === 0) return "any value";
  return types.map((type) => inWords(type, schema)).join(" or ");
}

function inWords(type: JsonSchemaType, schema: JsonSchema): string {
  if (type === "null") return "null";
  if (type === "array")
    return schema.items === undefined ? "an array" : `an array of: ${expectation(schema.items)}`;
  const article = type === "integer" || type === "object" ? "an" : "a";
  const limits = [
    schema.minimum === undefined ? "" : `at least ${schema.minimum}`,
    schema.maximum === undefined ? "" : `at most ${schema.maximum}`,
  ].filter((limit) => limit !== "");
  return `${article} ${type}${limits.length === 0 ? "" : ` (${limits.join(", ")})`}`;
}

export function typesOf(schema: JsonSchema): readonly JsonSchemaType[] {
  if (schema.type === undefined) return [];
  return typeof schema.type === "string" ? [schema.type] : schema.type;
}

// The order that tag-per-argument formats use for values without a type; text fits everything, so it is last.
const unionOrder: readonly JsonSchemaType[] = [
  "null",
  "boolean",
  "integer",
  "number",
  "array",
  "object",
  "string",
];

function coerceUnion(value: JsonValue, branches: readonly JsonSchema[], path: string): Coerced {
  for (const branch of branches) {
    const coerced = coerceValue(value, branch, path);
    if (coerced.ok && coerced.notes.length === 0) return coerced;
  }
  const rank = (branch: JsonSchema) =>
    Math.min(...typesOf(branch).map((type) => unionOrder.indexOf(type)), 9);
  for (const branch of [...branches].sort((a, b) => rank(a) - rank(b))) {
    const coerced = coerceValue(value, branch, path);
    if (coerced.ok) return coerced;
  }
  return wrong(path, value, branches.map(expectation).join(" or "));
}

function coerceType(value: JsonValue, schema: JsonSchema, path: string): Coerced {
  const typed =
    schema.enum === undefined
      ? coerceByType(value, schema, path)
      : coerceEnum(value, schema.enum, schema, path);
  if (typed.ok) return typed;
  const types = typesOf(schema);
  // Last, as they fit nearly anything: a lone value for a list, and a list of one for a value.
  if (types.includes("array") && value !== null && !Array.isArray(value))
    return noted(coerceInside([value], schema, path), `${path}: read ${describe(value)} as array`, typed);
  const item = loneItem(value, types);
  if (item === undefined) return typed;
  return noted(coerceType(item, schema, path), `${path}: read a list of one as its only item`, typed);
}

/** `coerced` with its note, or `otherwise` when it did not fit either. */
function noted(coerced: Coerced, note: string, otherwise: Coerced): Coerced {
  return coerced.ok ? { ...coerced, notes: [note, ...coerced.notes] } : otherwise;
}

function coerceByType(value: JsonValue, schema: JsonSchema, path: string): Coerced {
  const types = typesOf(schema);
  const exact = types.length === 0 || types.some((type) => hasType(value, type));
  if (exact) return coerceInside(value, schema, path);
  let refused = ambiguous(value, path) ?? wrong(path, value, expectation(schema));
  // A name that comes as a number may be another one than was meant: 1e3, 007.
  if (schema.format === "path") return refused;
  for (const type of unionOrder.filter((candidate) => types.includes(candidate))) {
    const changed = convert(value, type);
    if (changed === undefined) continue;
    const inside = coerceInside(changed, schema, path);
    if (inside.ok) return noted(inside, `${path}: read ${describe(value)} as ${type}`, inside);
    // The problem of a value inside says more than that of the whole.
    refused = inside;
  }
  return refused;
}

/** The only item of a list that came where a single value is wanted. */
function loneItem(value: JsonValue, types: readonly JsonSchemaType[]): JsonValue | undefined {
  if (!Array.isArray(value) || value.length !== 1 || types.includes("array")) return undefined;
  return typeof value[0] === "object" ? undefined : value[0];
}

function hasType(value: JsonValue, type: JsonSchemaType): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    case "integer":
      return typeof value === "number" && Number.isInteger(value);
    case "number":
      return typeof value === type && Number.isFinite(value);
    case "string":
    case "boolean":
      return typeof value === type;
  }
}

function convert(value: JsonValue, type: JsonSchemaType): JsonValue | undefined {
  switch (type) {
    case "null":
      return value === "null" || value === "None" ? null : undefined;
    case "boolean":
      return toBoolean(value);
    case "integer":
    case "number":
      return toNumber(value, type === "integer");
    case "array":
      return fromJsonText(value, Array.isArray);
    case "object":
      return fromJsonText(value, isJsonObject);
    case "string":
      if (value === null || Array.isArray(value)) return undefined;
      return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
  }
}

function toBoolean(value: JsonValue): boolean | undefined {
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== "string") return undefined;
  const folded = value.trim().toLowerCase();
  if (folded === "true" || folded === "yes") return true;
  return folded === "false" || folded === "no" ? false : undefined;
}

function toNumber(value: JsonValue, whole: boolean): number | undefined {
  if (typeof value !== "string" || !/^\s*[+-]?\d+(\.\d+)?(e[+-]?\d+)?\s*$/i.test(value)) return undefined;
  const number = Number(value);
  if (!Number.isFinite(number)) return undefined;
  return whole && !Number.isSafeInteger(number) ? undefined : number;
}

/** Of text that is JSON, but must not be used as such. */
function ambiguous(value: JsonValue, path: string): Coerced | undefined {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return undefined;
  const parsed = parseJson(value);
  if (parsed.ok || parsed.sound) return undefined;
  return { ok: false, problem: `parameter "${path}" is ${parsed.message}` };
}

function fromJsonText<T extends JsonValue>(
  value: JsonValue,
  is: (parsed: JsonValue) => parsed is T,
): T | undefined {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return undefined;
  const parsed = parseJson(value);
  return parsed.ok && is(parsed.value) && unsoundPart(parsed.value) === undefined ? parsed.value : undefined;
}

function coerceEnum(
  value: JsonValue,
  options: readonly JsonValue[],
  schema: JsonSchema,
  path: string,
): Coerced {
  if (options.some((option) => JSON.stringify(option) === JSON.stringify(value)))
    return { ok: true, value, notes: [] };
  const folded = typeof value === "object" ? undefined : foldName(String(value));
  const meant = options.find((option) => typeof option !== "object" && foldName(String(option)) === folded);
  if (meant === undefined) return wrong(path, value, expectation(schema));
  return { ok: true, value: meant, notes: [`${path}: read ${describe(value)} as ${JSON.stringify(meant)}`] };
}

function coerceInside(value: JsonValue, schema: JsonSchema, path: string): Coerced {
  if (Array.isArray(value) && schema.items !== undefined) return coerceItems(value, schema.items, path);
  if (isJsonObject(value) && schema.properties !== undefined) return coerceProperties(value, schema, path);
  return { ok: true, value, notes: [] };
}

function coerceItems(items: readonly JsonValue[], schema: JsonSchema, path: string): Coerced {
  const values: JsonValue[] = [];
  const notes: string[] = [];
  for (const [index, item] of items.entries()) {
    const coerced = coerceValue(item, schema, `${path}[${index}]`);
    if (!coerced.ok) return coerced;
    values.push(coerced.value);
    for (const note of coerced.notes) notes.push(note);
  }
  return { ok: true, value: values, notes };
}

function coerceProperties(value: JsonObject, schema: JsonSchema, path: string): Coerced {
  const notes: string[] = [];
  const typed: JsonObject = { ...value };
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    const required = schema.required?.includes(key) ?? false;
    if (given === undefined || (!required && isNullForNothing(given, property))) {
      if (required) return wrong(`${path}.${key}`, undefined, expectation(property));
      delete typed[key];
      continue;
    }
    const coerced = coerceValue(given, property, `${path}.${key}`);
    if (!coerced.ok) return coerced;
    typed[key] = coerced.value;
    for (const note of coerced.notes) notes.push(note);
  }
  if (schema.additionalProperties === false) {
    for (const key of Object.keys(typed).filter((name) => !Object.hasOwn(schema.properties ?? {}, name))) {
      delete typed[key];
      notes.push(`unknown key ${JSON.stringify(key.slice(0, 80))} in ${path} was ignored`);
    }
  }
  return { ok: true, value: typed, notes };
}

/** Models write null for "not given": true where the schema has no use for null. */
export function isNullForNothing(value: JsonValue, schema: JsonSchema): boolean {
  return value === null && !coerceValue(value, schema, "").ok;
}

function checkLimits(value: JsonValue, schema: JsonSchema, path: string, notes: readonly string[]): Coerced {
  const size = typeof value === "string" || Array.isArray(value) ? value.length : undefined;
  const least = typeof value === "string" ? schema.minLength : schema.minItems;
  const most = typeof value === "string" ? schema.maxLength : schema.maxItems;
  if (size !== undefined && least !== undefined && size < least)
    return wrong(path, value, `a length of at least ${least}`);
  if (size !== undefined && most !== undefined && size > most)
    return wrong(path, value, `a length of at most ${most}`);
  if (typeof value === "string" && schema.pattern !== undefined && !matches(value, schema.pattern))
    return wrong(path, value, `text that matches ${schema.pattern}`);
  if (typeof value === "number") {
    if (schema.minimum !== undefined && value < schema.minimum)
      return wrong(path, value, expectation(schema));
    if (schema.maximum !== undefined && value > schema.maximum)
      return wrong(path, value, expectation(schema));
  }
  if (schema.const !== undefined && JSON.stringify(value) !== JSON.stringify(schema.const)) {
    return wrong(path, value, expectation(schema));
  }
  return { ok: true, value, notes };
}

/** Patterns come with the code of a tool, never from a model. */
function matches(value: string, pattern: string): boolean {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, "u");
  } catch {
    return true;
  }
  return expression.test(value);
}

function wrong(path: string, value: JsonValue | undefined, expected: string): Coerced {
  if (value === undefined)
    return { ok: false, problem: `parameter "${path}" is missing; expected ${expected}` };
  return { ok: false, problem: `parameter "${path}" must be ${expected}, but is ${describe(value)}` };
}
