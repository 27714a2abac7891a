/** Gives arguments the types that their schema asks for, where a value has one reading only; anything else stays as it is. */

import { parseInner } from "../json/read-json.ts";
import { setOwn } from "../json/result.ts";
import type { JsonValue, Repair } from "../types.ts";
import { meantNames } from "./meant-names.ts";
import {
  branches,
  hasType,
  isClosed,
  isForbidden,
  isObject,
  itemSchema,
  propertyNames,
  propertySchema,
  requiredNames,
  type Schema,
  type TypeName,
  typesOf,
} from "./read-schema.ts";

/** Types arguments by their schema; when `textStays`, a text at the first level is not read as anything else. */
export function coerceArguments(
  args: JsonValue,
  schema: Schema,
  repairs: Set<Repair>,
  textStays = false,
): JsonValue {
  if (!isObject(args)) return args;
  return coerceObject(args as { [key: string]: JsonValue }, schema, repairs, 0, textStays);
}

/** Returns the value typed by the schema; notes `typed-value` and `dropped-key` in `repairs`. */
function coerce(value: JsonValue, schema: Schema, repairs: Set<Repair>, depth = 0): JsonValue {
  if (depth > 60) return value;
  const types = typesOf(schema);
  let typed = value;
  if (types.size > 0 && !hasType(value, types)) {
    typed = convert(value, types, repairs);
    if (typed !== value) repairs.add("typed-value");
  }
  if (Array.isArray(typed)) {
    return typed.map((item, index) => {
      const inner = itemSchema(schema, index);
      return inner ? coerce(item, inner, repairs, depth + 1) : item;
    });
  }
  if (typeof typed === "object" && typed !== null) return coerceObject(typed, schema, repairs, depth);
  return typed;
}

function convert(value: JsonValue, types: ReadonlySet<TypeName>, repairs: Set<Repair>): JsonValue {
  if (typeof value === "string") {
    const found: Repair[] = [];
    const typed = convertText(value, types, found);
    for (const repair of found) repairs.add(repair);
    return typed === undefined ? value : typed;
  }
  if (types.has("string") && types.size === 1 && (typeof value === "number" || typeof value === "boolean")) {
    return String(value);
  }
  if (types.has("boolean") && types.size === 1 && (value === 0 || value === 1)) return value === 1;
  return value;
}

/** Reads a text as one of the types, tried from the narrowest; undefined when it is none of them. */
export function convertText(
  text: string,
  types: ReadonlySet<TypeName>,
  repairs: Repair[] = [],
): JsonValue | undefined {
  const trimmed = text.trim();
  if (types.has("null") && /^(?:null|none|nil)$/i.test(trimmed)) return null;
  if (types.has("boolean") && /^(?:true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === "true";
  if (types.has("integer") && /^[-+]?\d+(?:\.0+)?$/.test(trimmed)) return finite(trimmed);
  if (types.has("number") && /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(trimmed)) {
    return finite(trimmed);
  }
  if ((types.has("array") && trimmed.startsWith("[")) || (types.has("object") && trimmed.startsWith("{"))) {
    const parsed = parseInner(trimmed, repairs);
    if (parsed !== undefined && hasType(parsed, types)) return parsed;
  }
  return undefined;
}

/** JSON has no infinity: a number too large to be one stays a text. */
function finite(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function coerceObject(
  value: { readonly [key: string]: JsonValue },
  schema: Schema,
  repairs: Set<Repair>,
  depth: number,
  textStays = false,
): { [key: string]: JsonValue } {
  const typed: { [key: string]: JsonValue } = {};
  const branch = chooseBranch(value, schema);
  const meant = meantNames(value, branch);
  const drops = isClosed(branch) && isComplete(value, branch, meant);
  for (const [key, item] of Object.entries(value)) {
    const name = meant.get(key) ?? key;
    const inner = propertySchema(branch, name);
    if (isForbidden(branch, key) || (inner === undefined && drops)) {
      repairs.add("dropped-key");
      continue;
    }
    if (name !== key) repairs.add("argument-key");
    if (Object.hasOwn(typed, name)) repairs.add("dropped-key");
    // A text was typed where it was read, by the schema of its key.
    const stays = textStays && typeof item === "string" && name === key;
    setOwn(typed, name, inner && !stays ? coerce(item, inner, repairs, depth + 1) : item);
  }
  return typed;
}

/** Whether all required names are there. Where one is missing, a key that is not declared may be what was meant by it. */
function isComplete(
  value: { readonly [key: string]: JsonValue },
  schema: Schema,
  meant: ReadonlyMap<string, string>,
): boolean {
  const names = new Set(meant.values());
  return requiredNames(schema).every((name) => Object.hasOwn(value, name) || names.has(name));
}

/** Of a union of objects, the branch whose fixed values agree with the value and which declares most of its keys. */
function chooseBranch(value: { readonly [key: string]: JsonValue }, schema: Schema): Schema {
  let best = schema;
  let bestScore = -1;
  for (const branch of branches(schema)) {
    if (isObject(schema.node["properties"])) return schema;
    if (!fixedValuesAgree(value, branch)) continue;
    const names = new Set(propertyNames(branch));
    const score = Object.keys(value).filter((key) => names.has(key)).length;
    if (score > bestScore) {
      best = branch;
      bestScore = score;
    }
  }
  return best;
}

function fixedValuesAgree(value: { readonly [key: string]: JsonValue }, branch: Schema): boolean {
  const types = typesOf(branch);
  if (types.size > 0 && !types.has("object")) return false;
  return Object.entries(value).every(([key, item]) => {
    const node = propertySchema(branch, key)?.node;
    if (node === undefined) return true;
    if ("const" in node && node["const"] !== item) return false;
    return !(Array.isArray(node["enum"]) && !node["enum"].includes(item));
  });
}
