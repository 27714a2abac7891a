/** Finds the types that a schema allows, and the types of values. */
import { isObject, type JsonSchema, type JsonValue } from "./json.ts";
import { branches, listed, type Schema } from "./schema.ts";

export type TypeName = "null" | "boolean" | "integer" | "number" | "array" | "object" | "string";

export type Types = ReadonlySet<TypeName>;

/** The names of each type in JSON Schema and in other languages. */
const typeNames: { readonly [type in TypeName]: readonly string[] } = {
  null: ["null", "none"],
  boolean: ["boolean", "bool"],
  integer: [
    "integer",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "short",
    "long",
  ],
  number: ["number", "float", "float32", "float64", "double", "decimal"],
  array: ["array", "list", "tuple"],
  object: ["object", "dict", "map"],
  string: ["string", "str", "text", "varchar", "char"],
};

const typesByName: ReadonlyMap<string, TypeName> = new Map(
  Object.entries(typeNames).flatMap(([type, names]) =>
    names.map((name) => [name, type as TypeName] as const),
  ),
);

/**
 * Returns the type that a name means: `integer` for `uint32`, `array` for `list[int]` and `string[]`; undefined for an unknown
 * name.
 */
function typeNamed(name: string): TypeName | undefined {
  const [, word = "", rest = ""] = /^\s*(\w+)\s*([[<(].*)?$/s.exec(name.toLowerCase()) ?? [];
  return rest === "[]" ? "array" : typesByName.get(word);
}

/** Returns the types that a schema allows. The set is empty if the schema does not limit the type. */
export function typesOf(schema: Schema, seen = new Set<JsonSchema>()): Types {
  const types = new Set<TypeName>();
  const { node } = schema;
  for (const name of Array.isArray(node["type"]) ? node["type"] : [node["type"]]) {
    const known = typeof name === "string" ? typeNamed(name) : undefined;
    if (known) types.add(known);
  }
  if (node["nullable"] === true && types.size > 0) types.add("null");
  if (types.size > 0 || seen.has(node)) return types;
  seen.add(node);
  for (const part of [...branches(schema), ...listed(schema, "allOf")]) {
    for (const type of typesOf(part, seen)) types.add(type);
  }
  if (types.size > 0) return types;
  const values = "const" in node ? [node["const"]] : Array.isArray(node["enum"]) ? node["enum"] : [];
  for (const value of values) types.add(typeOfValue(value as JsonValue));
  if (isObject(node["properties"])) types.add("object");
  if (node["items"] !== undefined || node["prefixItems"] !== undefined) types.add("array");
  return types;
}

/** Returns true if the schema allows only text. */
export function isTextOnly(schema: Schema | undefined): boolean {
  const types = schema && typesOf(schema);
  return types?.size === 1 && types.has("string");
}

/** Returns true if the type is the only one in the set, apart from null. */
export function isOnly(type: TypeName, types: Types): boolean {
  return types.has(type) && types.size === (types.has("null") ? 2 : 1);
}

export function typeOfValue(value: JsonValue): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "boolean" | "string" | "object";
}

/** Returns true if the value has one of the types. An infinite number has no type. */
export function hasType(value: JsonValue, types: Types): boolean {
  if (typeof value === "number" && !Number.isFinite(value)) return false;
  const type = typeOfValue(value);
  return types.has(type) || (type === "integer" && types.has("number"));
}
