/** A schema with the document it lives in: references followed, combinations listed. */
import { isObject, type JsonSchema } from "./json.ts";

/** A schema with the document it lives in, so that `$ref` can be followed. */
export interface Schema {
  readonly node: JsonSchema;
  readonly root: JsonSchema;
}

const openNode: JsonSchema = {};

/** The schema that allows any value. */
export const openSchema: Schema = { node: openNode, root: openNode };

/** Returns the schema of a document, such as the parameters of a tool; an open one for anything that is not an object. */
export function parametersSchema(parameters: unknown): Schema {
  const root = isObject(parameters) ? parameters : openNode;
  return follow({ node: root, root });
}

/**
 * Follows `$ref` inside the same document, and a library's `jsonSchema` wrapper. A reference that is dangling or circular
 * gives an open schema.
 */
export function follow(schema: Schema): Schema {
  let { node } = schema;
  for (let hops = 0; hops < 20; hops += 1) {
    const wrapped = node["jsonSchema"];
    if (isObject(wrapped) && node["type"] === undefined) node = wrapped;
    const ref = node["$ref"];
    if (typeof ref !== "string") return { node, root: schema.root };
    node = lookUp(schema.root, ref);
  }
  return openSchema;
}

function lookUp(root: JsonSchema, ref: string): JsonSchema {
  if (!ref.startsWith("#")) return openNode;
  let node: unknown = root;
  for (const step of ref.slice(1).match(/[^/]+/g) ?? []) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isObject(node) || !Object.hasOwn(node, key)) return openNode;
    node = node[key];
  }
  return isObject(node) ? node : openNode;
}

/** Returns the schemas listed under a keyword, followed. */
export function listed(schema: Schema, keyword: "anyOf" | "oneOf" | "allOf"): Schema[] {
  const list = schema.node[keyword];
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).map((node) => follow({ node, root: schema.root }));
}

/** Returns the alternatives of a union, or none. */
export function branches(schema: Schema): Schema[] {
  return [...listed(schema, "anyOf"), ...listed(schema, "oneOf")];
}

/** Returns the schema itself and everything combined with it, each part once. */
export function parts(schema: Schema, seen = new Set<JsonSchema>()): Schema[] {
  if (seen.has(schema.node)) return [];
  seen.add(schema.node);
  return [schema, ...[...listed(schema, "allOf"), ...branches(schema)].flatMap((part) => parts(part, seen))];
}
