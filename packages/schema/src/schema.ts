/** Follows the references of schemas, and lists the parts of combined schemas. */
import { isObject, type JsonSchema } from "./json.ts";

/** A schema (`node`) and the document that contains it (`root`), which is needed to follow `$ref`. */
export interface Schema {
  readonly node: JsonSchema;
  readonly root: JsonSchema;
}

const openNode: JsonSchema = {};

/** The schema that allows any value. */
export const openSchema: Schema = { node: openNode, root: openNode };

/**
 * Returns the schema that a document contains, such as the parameters of a tool; the open schema if the document is not an
 * object.
 */
export function parametersSchema(parameters: unknown): Schema {
  const root = isObject(parameters) ? parameters : openNode;
  return follow({ node: root, root });
}

/**
 * Returns the schema to which `$ref` leads inside the document. Also unwraps `{"jsonSchema": ...}`, in which some libraries put
 * a schema. A reference that leads nowhere, or to itself, gives the open schema.
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

/** Returns the schemas in the list under a keyword, with their references followed. */
export function listed(schema: Schema, keyword: "anyOf" | "oneOf" | "allOf"): Schema[] {
  const list = schema.node[keyword];
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).map((node) => follow({ node, root: schema.root }));
}

/** Returns the branches of a union; an empty list if the schema is not a union. */
export function branches(schema: Schema): Schema[] {
  return [...listed(schema, "anyOf"), ...listed(schema, "oneOf")];
}

/** Returns the schema itself and all schemas that it combines on any level (`allOf`, `anyOf`, `oneOf`), each once. */
export function parts(schema: Schema, seen = new Set<JsonSchema>()): Schema[] {
  if (seen.has(schema.node)) return [];
  seen.add(schema.node);
  return [schema, ...[...listed(schema, "allOf"), ...branches(schema)].flatMap((part) => parts(part, seen))];
}
