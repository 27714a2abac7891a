/**
 * Finds the schemas and names of the members of objects and lists. It reads all parts of a combined schema (`allOf`,
 * `anyOf`, `oneOf`).
 */
import { isObject, type JsonSchema, type JsonValue } from "./json.ts";
import { matches } from "./matches.ts";
import { follow, listed, openSchema, parts, type Schema } from "./schema.ts";

/**
 * Returns the schema of a property. Searches `properties`, then `patternProperties`, then `additionalProperties`. Returns
 * undefined if none of these has a schema for it. `true` and `false` in `properties` give the open schema, and so does a
 * pattern that cannot be run on the key, if nothing else has a schema for it.
 */
export function propertySchema({ node, root }: Schema, key: string): Schema | undefined {
  const nodes = parts({ node, root }).map((part) => part.node);
  for (const { properties } of nodes) {
    if (!isObject(properties) || !Object.hasOwn(properties, key)) continue;
    return within(properties[key], root);
  }
  const rules = nodes
    .flatMap(({ patternProperties: own }) => (isObject(own) ? Object.entries(own) : []))
    .filter(([, rule]) => rule === true || isObject(rule))
    .map(([pattern, rule]) => ({ rule, matched: matches(pattern, key) }));
  const matching = rules.find(({ matched }) => matched === true);
  const found = matching?.rule ?? nodes.map(({ additionalProperties: rest }) => rest).find(isObject);
  if (found !== undefined) return within(found, root);
  // A pattern that was not run may allow the key.
  return rules.some(({ matched }) => matched === undefined) ? openSchema : undefined;
}

/**
 * Returns the index or key, the value, and the schema (if any) of each member of a list or an object; no members for other
 * values.
 */
export function membersOf(
  value: JsonValue,
  schema: Schema,
): (readonly [member: string | number, value: JsonValue, schema: Schema | undefined])[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.map((item, index) => [index, item, itemSchema(schema, index)]);
  return Object.entries(value).map(([key, item]) => [key, item, propertySchema(schema, key)]);
}

/** Returns the names of all declared properties. A name that several parts of the schema declare is there several times. */
export function propertyNames(schema: Schema): string[] {
  return parts(schema).flatMap(({ node: { properties: own } }) => (isObject(own) ? Object.keys(own) : []));
}

/** Returns the names that the schema or its `allOf` requires. Leaves out names that only a branch of a union requires. */
export function requiredNames(schema: Schema): string[] {
  return [schema, ...listed(schema, "allOf")].flatMap((part) => {
    const required = part.node["required"];
    return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  });
}

/**
 * Returns true if the schema, a part of its `allOf`, or each branch of its `anyOf` or `oneOf` forbids undeclared keys. `known`
 * has the answers for parts that were read; a part that refers to itself forbids nothing.
 */
export function isClosed(schema: Schema, known = new Map<JsonSchema, boolean>()): boolean {
  const found = known.get(schema.node);
  if (found !== undefined) return found;
  known.set(schema.node, false);
  const closes = (part: Schema) => isClosed(part, known);
  const unions = [listed(schema, "anyOf"), listed(schema, "oneOf")].filter(({ length }) => length > 0);
  const byParts = listed(schema, "allOf").some(closes) || unions.some((union) => union.every(closes));
  const answer = byParts || closesItself(schema);
  known.set(schema.node, answer);
  return answer;
}

/** Returns true if the schema itself forbids undeclared keys. One that declares keys only by pattern forbids them too. */
function closesItself({ node }: Schema): boolean {
  const { additionalProperties: rest, unevaluatedProperties: unevaluated } = node;
  if (rest === false || unevaluated === false) return true;
  if (rest !== undefined || unevaluated !== undefined) return false;
  return node["properties"] === undefined && node["patternProperties"] !== undefined;
}

/**
 * Returns true if `properties` or `patternProperties` has the schema `false` for the key, which forbids it. A pattern that
 * cannot be run on the key counts as a match.
 */
export function isForbidden(schema: Schema, key: string): boolean {
  return parts(schema).some(({ node }) => {
    const { properties, patternProperties: patterns } = node;
    if (isObject(properties) && Object.hasOwn(properties, key)) return properties[key] === false;
    if (!isObject(patterns)) return false;
    return Object.entries(patterns).some(
      ([pattern, rule]) => rule === false && matches(pattern, key) !== false,
    );
  });
}

/** Returns the schema of the list item at an index; undefined if the list has no schema for it. */
export function itemSchema(schema: Schema, index: number): Schema | undefined {
  for (const part of parts(schema)) {
    const { node } = part;
    const { prefixItems: places, items, additionalItems } = node;
    const [tuple, rest] = Array.isArray(places) ? [places, items] : [items, additionalItems];
    const item = Array.isArray(tuple) ? (tuple[index] ?? rest) : items;
    if (isObject(item)) return within(item, schema.root);
  }
  return undefined;
}

function within(node: unknown, root: JsonSchema): Schema {
  return isObject(node) ? follow({ node, root }) : openSchema;
}
