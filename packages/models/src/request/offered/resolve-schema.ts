/** Follows the references of a schema, and joins the schemas that it combines. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

/** A schema without references, `allOf` and unions, and the branches of its unions. */
export interface OpenSchema {
  readonly node: JsonObject;
  readonly unions: readonly JsonObject[];
}

export interface Resolver {
  /**
   * Opens a schema, which must be closed after its parts were opened. A schema that is inside itself, or beyond the limits, is
   * opened without its parts.
   */
  open(schema: JsonObject): OpenSchema;
  close(): void;
}

const maxLevels = 12;
/** The maximum number of schemas in one document after references are written out. */
const maxSchemas = 2_000;
/** The maximum number of references and `allOf` that lead to one schema. */
const maxHops = 20;

export function resolverOf(root: JsonObject): Resolver {
  /** For each open schema the references that led to it, or the schema itself. */
  const open: (readonly JsonObject[])[] = [];
  let opened = 0;

  /** Returns the schema with references and `allOf` joined into it, and adds the schemas on the way to `path`. */
  function joined(schema: JsonObject, path: JsonObject[]): JsonObject {
    path.push(schema);
    const { $ref: ref, allOf, ...own } = schema;
    let node: JsonObject = own;
    const target = typeof ref === "string" ? lookUp(root, ref) : undefined;
    const parts = Array.isArray(allOf) ? allOf.filter(isJsonObject) : [];
    for (const part of target === undefined ? parts : [target, ...parts]) {
      if (path.length > maxHops || isOpen(part, path)) node = mergedSchema(node, outline(part), "both");
      else node = mergedSchema(node, joined(part, path), "both");
    }
    return node;
  }

  function isOpen(schema: JsonObject, path: readonly JsonObject[]): boolean {
    return path.includes(schema) || open.some((one) => one.includes(schema));
  }

  /** Returns the branches of the union in a schema, with those of unions inside it. */
  function branchesOf({ anyOf, oneOf }: JsonObject, levels = 0): readonly JsonObject[] {
    const branches = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
    return branches.flatMap((branch) => {
      const node = joined(branch, []);
      const inner = levels > maxLevels ? [] : branchesOf(node, levels + 1);
      if (inner.length === 0) return [node];
      const { anyOf: _any, oneOf: _one, ...own } = node;
      return inner.map((one) => mergedSchema(own, one, "both"));
    });
  }

  return {
    open(schema) {
      opened += 1;
      const path: JsonObject[] = [];
      const node = isSingle(schema) ? schema : joined(schema, path);
      open.push(path.length === 0 ? [schema] : path);
      const isBeyond = open.length > maxLevels || opened > maxSchemas;
      if (node === schema) return { node: isBeyond ? outline(node) : node, unions: [] };
      const { anyOf: _any, oneOf: _one, ...rest } = node;
      return isBeyond ? { node: outline(rest), unions: [] } : { node: rest, unions: branchesOf(node) };
    },
    close: () => void open.pop(),
  };
}

/** Returns true for a schema that neither refers to other schemas nor combines several, as most do. */
function isSingle({ $ref, allOf, anyOf, oneOf }: JsonObject): boolean {
  return $ref === undefined && allOf === undefined && anyOf === undefined && oneOf === undefined;
}

/** Returns the schema without its parts. */
function outline({ type, description }: JsonObject): JsonObject {
  return { ...(type === undefined ? {} : { type }), ...(description === undefined ? {} : { description }) };
}

function lookUp(root: JsonObject, ref: string): JsonObject | undefined {
  if (!ref.startsWith("#")) return undefined;
  let node: JsonValue | undefined = root;
  for (const step of ref.slice(1).match(/[^/]+/g) ?? []) {
    const key = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(node)) node = node[Number(key)];
    else node = isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  }
  return isJsonObject(node) ? node : undefined;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/**
 * Returns one schema with the properties of both. With `both` a value must meet both schemas; with `either` one of several
 * branches, of which `second` is one. What the first says takes precedence.
 */
export function mergedSchema(first: JsonObject, second: JsonObject, must: "both" | "either"): JsonObject {
  const merged: JsonObject = { ...second, ...first };
  const [ours, theirs] = [first["properties"], second["properties"]];
  if (isJsonObject(ours) && isJsonObject(theirs)) merged["properties"] = mergedProperties(ours, theirs, must);
  const required = listOf(first["required"]);
  // A branch of a union demands nothing of the values of other branches.
  if (must === "both") required.push(...listOf(second["required"]));
  if (required.length === 0) delete merged["required"];
  else merged["required"] = required;
  return merged;
}

function mergedProperties(ours: JsonObject, theirs: JsonObject, must: "both" | "either"): JsonObject {
  const merged = { ...ours };
  for (const [name, schema] of Object.entries(theirs)) {
    const own = ours[name];
    if (own === undefined) merged[name] = schema;
    else if (must === "either") merged[name] = { anyOf: [own, schema] };
  }
  return merged;
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? [...value] : [];
}
