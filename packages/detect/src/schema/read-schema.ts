/** Reads what a JSON Schema says about one value: its types, properties and items, through `$ref` and combinations. */
import type { JsonSchema, JsonValue } from "../types.ts";

export type TypeName = "null" | "boolean" | "integer" | "number" | "array" | "object" | "string";

/** A schema with the document it lives in, so that `$ref` can be followed. */
export interface Schema {
  readonly node: JsonSchema;
  readonly root: JsonSchema;
}

const empty: JsonSchema = {};

export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The schema of a tool's parameters. */
export function parametersSchema(parameters: JsonSchema | undefined): Schema {
  const root = isObject(parameters) ? parameters : empty;
  return follow({ node: root, root });
}

/** Follows `$ref` inside the same document, and a library's `jsonSchema` wrapper; a reference that leads nowhere or in a circle gives an open schema. */
export function follow(schema: Schema): Schema {
  let { node } = schema;
  for (let hops = 0; hops < 20; hops++) {
    const wrapped = node["jsonSchema"];
    if (isObject(wrapped) && node["type"] === undefined) node = wrapped;
    const ref = node["$ref"];
    if (typeof ref !== "string") return { node, root: schema.root };
    node = lookUp(schema.root, ref);
  }
  return { node: empty, root: schema.root };
}

function lookUp(root: JsonSchema, ref: string): JsonSchema {
  if (!ref.startsWith("#")) return empty;
  let node: unknown = root;
  for (const part of ref
    .slice(1)
    .split("/")
    .filter((step) => step !== "")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isObject(node) || !Object.hasOwn(node, key)) return empty;
    node = node[key];
  }
  return isObject(node) ? node : empty;
}

/** The schemas listed under a keyword, followed. */
export function listed(schema: Schema, keyword: "anyOf" | "oneOf" | "allOf"): Schema[] {
  const list = schema.node[keyword];
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).map((node) => follow({ node, root: schema.root }));
}

/** The alternatives of a union, or none. */
export function branches(schema: Schema): Schema[] {
  return [...listed(schema, "anyOf"), ...listed(schema, "oneOf")];
}

const typeAliases: { readonly [name: string]: TypeName } = {
  null: "null",
  none: "null",
  boolean: "boolean",
  bool: "boolean",
  integer: "integer",
  int: "integer",
  int32: "integer",
  int64: "integer",
  long: "integer",
  number: "number",
  float: "number",
  float32: "number",
  float64: "number",
  double: "number",
  decimal: "number",
  array: "array",
  list: "array",
  tuple: "array",
  object: "object",
  dict: "object",
  map: "object",
  string: "string",
  str: "string",
  text: "string",
  varchar: "string",
  char: "string",
};

/** The types that a value may have; empty when the schema does not say. */
export function typesOf(schema: Schema, depth = 0): ReadonlySet<TypeName> {
  const types = new Set<TypeName>();
  const { node } = schema;
  for (const name of Array.isArray(node["type"]) ? node["type"] : [node["type"]]) {
    const known = typeof name === "string" ? typeAliases[name.toLowerCase()] : undefined;
    if (known) types.add(known);
  }
  if (node["nullable"] === true && types.size > 0) types.add("null");
  if (types.size > 0 || depth > 10) return types;
  for (const part of [...branches(schema), ...listed(schema, "allOf")]) {
    for (const type of typesOf(part, depth + 1)) types.add(type);
  }
  if (types.size > 0) return types;
  const values = "const" in node ? [node["const"]] : Array.isArray(node["enum"]) ? node["enum"] : [];
  for (const value of values) types.add(typeOfValue(value as JsonValue));
  if (isObject(node["properties"])) types.add("object");
  if (node["items"] !== undefined || node["prefixItems"] !== undefined) types.add("array");
  return types;
}

/** Whether it wants a text and nothing else. */
export function isTextOnly(schema: Schema | undefined): boolean {
  const types = schema && typesOf(schema);
  return types?.size === 1 && types.has("string");
}

export function typeOfValue(value: JsonValue): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "boolean" | "string" | "object";
}

export function hasType(value: JsonValue, types: ReadonlySet<TypeName>): boolean {
  const type = typeOfValue(value);
  return types.has(type) || (type === "integer" && types.has("number"));
}

/** The schema of a property, whichever part of the schema declares it; undefined when none does. */
export function propertySchema(schema: Schema, key: string): Schema | undefined {
  for (const part of parts(schema)) {
    const properties = part.node["properties"];
    if (isObject(properties) && Object.hasOwn(properties, key)) {
      const node = properties[key];
      return isObject(node) ? follow({ node, root: schema.root }) : { node: empty, root: schema.root };
    }
  }
  for (const part of parts(schema)) {
    const patterns = part.node["patternProperties"];
    if (!isObject(patterns)) continue;
    for (const [pattern, node] of Object.entries(patterns)) {
      if (isObject(node) && matchesPattern(pattern, key)) return follow({ node, root: schema.root });
    }
  }
  for (const part of parts(schema)) {
    const rest = part.node["additionalProperties"];
    if (isObject(rest)) return follow({ node: rest, root: schema.root });
  }
  return undefined;
}

/** The names of all declared properties. */
export function propertyNames(schema: Schema): string[] {
  return parts(schema).flatMap((part) =>
    isObject(part.node["properties"]) ? Object.keys(part.node["properties"]) : [],
  );
}

/** The names of the required properties. */
export function requiredNames(schema: Schema): string[] {
  return [schema, ...listed(schema, "allOf")].flatMap((part) => {
    const required = part.node["required"];
    return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  });
}

/** Whether keys that no part declares are forbidden: said so, or keys are declared by pattern only. */
export function isClosed(schema: Schema): boolean {
  return parts(schema).some(({ node }) => {
    const { additionalProperties: rest, unevaluatedProperties: unevaluated } = node;
    if (rest === false || unevaluated === false) return true;
    if (rest !== undefined || unevaluated !== undefined) return false;
    return node["properties"] === undefined && node["patternProperties"] !== undefined;
  });
}

/** Whether a key is ruled out by a schema of `false`; a pattern that cannot be run safely rules out what is not declared. */
export function isForbidden(schema: Schema, key: string): boolean {
  return parts(schema).some(({ node }) => {
    const { properties, patternProperties: patterns } = node;
    if (isObject(properties) && Object.hasOwn(properties, key)) return properties[key] === false;
    if (!isObject(patterns)) return false;
    return Object.entries(patterns).some(
      ([pattern, rule]) => rule === false && (isUnsafe(pattern, key) || matchesPattern(pattern, key)),
    );
  });
}

/** The schema itself and everything combined with it, a few levels deep. */
function parts(schema: Schema, depth = 0): Schema[] {
  if (depth > 5) return [schema];
  const inner = [...listed(schema, "allOf"), ...branches(schema)];
  return [schema, ...inner.flatMap((part) => parts(part, depth + 1))];
}

/** Patterns that could take more than linear time are run on short keys only. */
function isUnsafe(pattern: string, key: string): boolean {
  if (pattern.length > 200 || key.length > 200) return true;
  return key.length > 16 && /[*+}?]\)?[*+{]|\([^)]*[*+|][^)]*\)[*+{]/.test(pattern);
}

function matchesPattern(pattern: string, key: string): boolean {
  if (isUnsafe(pattern, key)) return false;
  try {
    return new RegExp(pattern, "u").test(key);
  } catch {
    return false;
  }
}

/** The schema of a list's item at an index. */
export function itemSchema(schema: Schema, index: number): Schema | undefined {
  for (const part of parts(schema)) {
    const { node } = part;
    const tuple = Array.isArray(node["prefixItems"]) ? node["prefixItems"] : node["items"];
    const item = Array.isArray(tuple) ? (tuple[index] ?? node["additionalItems"]) : node["items"];
    if (isObject(item)) return follow({ node: item, root: schema.root });
  }
  return undefined;
}
