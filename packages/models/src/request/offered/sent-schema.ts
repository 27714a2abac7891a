/**
 * Writes the schema of a tool's parameters as it is sent to a server: with what shapes a value, and without what only restricts
 * it. Servers refuse a request, or fail on it, for keywords that they do not know. The engine checks calls by the whole schema.
 */
import type { ParametersSchema } from "@localharness/engine";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { mergedSchema, type Resolver, resolverOf } from "./resolve-schema.ts";
import { typeOf } from "./schema-types.ts";

/** `shaped` has all that shapes a value. `plainest` also avoids unions, maps, and values of `enum` that are not text. */
export type SchemaForm = "shaped" | "plainest";

/** The maximum length of a description in the plainest form. */
const maxPlainChars = 1_000;

interface Writing {
  readonly form: SchemaForm;
  readonly resolver: Resolver;
}

/** Returns the schema that is sent. It is finite and has no references. The same schema always gives the same text. */
export function sentSchema(parameters: ParametersSchema, form: SchemaForm): JsonObject {
  const root = parameters as unknown as JsonObject;
  const writing: Writing = { form, resolver: resolverOf(root) };
  const { node, unions } = writing.resolver.open(root);
  // Servers refuse a union at the top, so its branches become one object.
  const whole = unions.reduce((all, branch) => mergedSchema(all, branch, "either"), node);
  const { properties, required = [] } = objectParts(whole, writing);
  const demanded = required.filter((name) => !mayBeNull(whole, String(name), writing));
  return {
    type: "object",
    ...describedAs(whole, form),
    properties: properties ?? {},
    ...(demanded.length > 0 || Array.isArray(parameters.required) ? { required: demanded } : {}),
  };
}

/** Returns true if the value of a parameter may be null. The engine then takes null for a parameter that is left out. */
function mayBeNull({ properties }: JsonObject, name: string, { resolver }: Writing): boolean {
  const schema = isJsonObject(properties) ? properties[name] : undefined;
  if (!isJsonObject(schema)) return false;
  const { node, unions } = resolver.open(schema);
  resolver.close();
  const { type } = node;
  if (node["nullable"] === true || listedValues(node)?.includes(null) === true) return true;
  if (Array.isArray(type) ? type.includes("null") : type === "null") return true;
  return unions.some((branch) => typeOf(branch) === "null");
}

function written(schema: JsonValue | undefined, writing: Writing): JsonObject {
  if (!isJsonObject(schema)) return untyped(writing.form);
  const { node, unions } = writing.resolver.open(schema);
  try {
    return unions.length > 0 ? writtenUnion(node, unions, writing) : writtenNode(node, writing);
  } finally {
    writing.resolver.close();
  }
}

function untyped(form: SchemaForm): JsonObject {
  return form === "plainest" ? { type: "string" } : {};
}

/** Writes `anyOf` and `oneOf`; null is left out, because an absent value means the same. */
function writtenUnion(node: JsonObject, unions: readonly JsonObject[], writing: Writing): JsonObject {
  const { form } = writing;
  const branches = unions.filter((branch) => shapes(branch) && typeOf(branch) !== "null");
  const [only] = branches;
  if (only === undefined) return writtenNode(node, writing);
  if (branches.length === 1) return writtenNode(mergedSchema(node, only, "both"), writing);
  if (isJsonObject(node["properties"]) || (form === "plainest" && branches.every(isObjectSchema))) {
    return writtenNode(
      branches.reduce((all, branch) => mergedSchema(all, branch, "either"), node),
      writing,
    );
  }
  const values = branches.map(listedValues);
  const described = describedAs(node, form);
  if (values.every((list) => list !== undefined)) {
    return writtenNode({ ...described, enum: values.flat() }, writing);
  }
  const type = node["type"] === undefined ? {} : { type: node["type"] };
  const each = new Map<string, JsonObject>();
  for (const branch of branches) {
    const one = written({ ...type, ...branch }, writing);
    each.set(JSON.stringify(one), one);
  }
  const distinct = [...each.values()];
  if (distinct.length === 1) return { ...distinct[0], ...described };
  if (form === "shaped") return { ...described, anyOf: distinct };
  return { ...(distinct.find((one) => one["type"] === "string") ?? distinct[0]), ...described };
}

function isObjectSchema(schema: JsonObject): boolean {
  return typeOf(schema) === "object";
}

/** The keywords that shape a value. A branch of a union without any of them only restricts. */
const shaping = [
  "type",
  "properties",
  "items",
  "prefixItems",
  "enum",
  "const",
  "additionalProperties",
  "anyOf",
  "oneOf",
  "allOf",
];

function shapes(schema: JsonObject): boolean {
  return shaping.some((key) => schema[key] !== undefined);
}

/** Returns the values that the schema lists; undefined if it lists none. */
function listedValues(schema: JsonObject): readonly JsonValue[] | undefined {
  if (schema["const"] !== undefined) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : undefined;
}

function writtenNode(node: JsonObject, writing: Writing): JsonObject {
  const { form } = writing;
  const type = typeOf(node);
  if (Array.isArray(type)) {
    const only = form === "plainest" ? (type.find((one) => one === "string") ?? type[0]) : undefined;
    if (only !== undefined) return writtenNode({ ...node, type: only }, writing);
    const anyOf = type.map((one) => writtenNode({ ...withoutDescription(node), type: one }, writing));
    return { ...describedAs(node, form), anyOf };
  }
  const { properties, required } = type === "object" ? objectParts(node, writing) : {};
  const map = type === "object" && form === "shaped" ? mapPart(node, writing) : {};
  return {
    ...(type === undefined ? untyped(form) : { type }),
    ...describedAs(node, form),
    ...enumPart(node, form),
    ...(properties === undefined ? {} : { properties }),
    ...(required === undefined ? {} : { required }),
    ...(type === "array" ? { items: itemsOf(node, writing) } : {}),
    ...map,
    ...defaultPart(node, form),
  };
}

function withoutDescription({ description: _said, default: _value, ...rest }: JsonObject): JsonObject {
  return rest;
}

interface ObjectParts {
  readonly properties?: JsonObject;
  readonly required?: JsonValue[];
}

function objectParts(node: JsonObject, writing: Writing): ObjectParts {
  const declared = isJsonObject(node["properties"]) ? node["properties"] : {};
  const entries = Object.entries(declared).filter(([, inner]) => inner !== false);
  if (entries.length === 0) return {};
  const properties = Object.fromEntries(entries.map(([name, inner]) => [name, written(inner, writing)]));
  const listed = Array.isArray(node["required"]) ? node["required"] : [];
  const required = [...new Set(listed)].filter(
    (name) => typeof name === "string" && Object.hasOwn(properties, name),
  );
  return required.length === 0 ? { properties } : { properties, required };
}

/** Returns the shape of the values of a map; nothing if they may have any shape. */
function mapPart(node: JsonObject, writing: Writing): JsonObject {
  const values = node["additionalProperties"];
  if (!isJsonObject(values)) return {};
  const shape = written(values, writing);
  return Object.keys(shape).length === 0 ? {} : { additionalProperties: shape };
}

/** Returns the schema of the elements. An older schema lists one for each place. */
function itemsOf(node: JsonObject, writing: Writing): JsonObject {
  const { items, prefixItems } = node;
  const places = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
  return places === undefined ? written(items, writing) : written({ anyOf: places }, writing);
}

function describedAs({ description, format }: JsonObject, form: SchemaForm): JsonObject {
  const said = typeof description === "string" ? description : "";
  const kind =
    typeof format === "string" && format !== "path" && !said.includes(format) ? `format ${format}` : "";
  const text = said !== "" && kind !== "" ? `${said} (${kind})` : said + kind;
  if (text === "") return {};
  const isLong = form === "plainest" && text.length > maxPlainChars;
  return { description: isLong ? `${text.slice(0, maxPlainChars - 1).toWellFormed()}…` : text };
}

function enumPart(node: JsonObject, form: SchemaForm): JsonObject {
  const values = (listedValues(node) ?? []).filter((value) => value !== null && typeof value !== "object");
  if (values.length === 0) return {};
  return form === "plainest" && values.some((value) => typeof value !== "string")
    ? {}
    : { enum: [...new Set(values)] };
}

function defaultPart({ default: value }: JsonObject, form: SchemaForm): JsonObject {
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isPlain && form === "shaped" ? { default: value } : {};
}
