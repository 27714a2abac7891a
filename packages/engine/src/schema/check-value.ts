/** A value against a JSON Schema, to the letter: what a tool's arguments are mended for is a problem here. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { describe } from "../arguments/read.ts";
import { canonicalJson } from "../guards/repeats.ts";

/** What may stand in a schema and says nothing about which values are right. */
const annotations: ReadonlySet<string> = new Set(
  "$schema $id $comment $defs definitions title description default examples format deprecated readOnly writeOnly".split(
    " ",
  ),
);

type Check = (value: JsonValue, wanted: JsonValue, at: Place) => readonly string[];

interface Place {
  /** `$.items[2].name` */
  readonly path: string;
  readonly schema: JsonObject;
  readonly root: JsonObject;
  readonly depth: number;
}

const mostProblems = 10;
const mostDepth = 60;

/** What is wrong, at most ten sentences; empty when the value follows the schema. */
export function checkValue(value: JsonValue, schema: JsonValue): readonly string[] {
  const root = isJsonObject(schema) ? schema : {};
  return problemsOf(value, schema, { path: "$", schema: root, root, depth: 0 }).slice(0, mostProblems);
}

/** The first part of a schema that cannot be checked, in words; undefined when all of it can. */
export function schemaProblem(schema: JsonValue, root: JsonValue = schema, depth = 0): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isJsonObject(schema)) return `a schema is an object, got ${describe(schema)}`;
  if (depth > mostDepth) return `it is nested deeper than ${mostDepth} levels`;
  for (const [key, wanted] of Object.entries(schema)) {
    if (key === "$defs" || key === "definitions") {
      const problem = firstProblem(isJsonObject(wanted) ? Object.values(wanted) : [wanted], root, depth);
      if (problem !== undefined) return problem;
    }
    if (annotations.has(key)) continue;
    if (!Object.hasOwn(checks, key)) return `"${key}" cannot be checked here`;
    const problem = keywordProblem(key, wanted, root, depth);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function keywordProblem(key: string, wanted: JsonValue, root: JsonValue, depth: number): string | undefined {
  if (key === "$ref") {
    if (isJsonObject(root) && referred(root, wanted) !== undefined) return undefined;
    return `"$ref" can only name a part of the same file, got ${describe(wanted)}`;
  }
  if (key === "properties")
    return isJsonObject(wanted) ? firstProblem(Object.values(wanted), root, depth) : notRight(key, wanted);
  if (key === "anyOf" || key === "oneOf" || key === "allOf")
    return Array.isArray(wanted) ? firstProblem(wanted, root, depth) : notRight(key, wanted);
  if (key === "items" || key === "not" || key === "additionalProperties")
    return schemaProblem(wanted, root, depth + 1);
  if (key === "pattern") return patternProblem(wanted);
  const right =
    key === "type"
      ? [wanted].flat().every((name) => types.includes(String(name)))
      : key === "enum" || key === "required"
        ? Array.isArray(wanted)
        : key === "const" || typeof wanted === "number" || key === "uniqueItems";
  return right ? undefined : notRight(key, wanted);
}

function firstProblem(schemas: readonly JsonValue[], root: JsonValue, depth: number): string | undefined {
  for (const schema of schemas) {
    const problem = schemaProblem(schema, root, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function notRight(key: string, wanted: JsonValue): string {
  return `"${key}" cannot be ${describe(wanted)}`;
}

function patternProblem(wanted: JsonValue): string | undefined {
  try {
    regularExpression(wanted);
    return typeof wanted === "string" ? undefined : notRight("pattern", wanted);
  } catch (error) {
    return `"pattern" is no regular expression: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function problemsOf(value: JsonValue, schema: JsonValue, at: Place): readonly string[] {
  if (schema === true) return [];
  if (!isJsonObject(schema)) return [`${at.path} must not be there`];
  if (at.depth > mostDepth) return [`${at.path} is nested deeper than ${mostDepth} levels`];
  const here = { ...at, schema };
  return Object.entries(schema).flatMap(([key, wanted]) =>
    Object.hasOwn(checks, key) ? (checks[key]?.(value, wanted, here) ?? []) : [],
  );
}

function inside(at: Place, step: string): Place {
  return { ...at, path: `${at.path}${step}`, depth: at.depth + 1 };
}

const types: readonly string[] = ["string", "number", "integer", "boolean", "object", "array", "null"];

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

const checks: Readonly<Record<string, Check>> = {
  $ref: (value, wanted, at) => problemsOf(value, referred(at.root, wanted) ?? true, inside(at, "")),
  type(value, wanted, { path }) {
    const is = typeOf(value);
    const right = [wanted]
      .flat()
      .some((name) => name === is || (name === "integer" && Number.isInteger(value)));
    return right ? [] : [`${path} must be ${[wanted].flat().join(" or ")}, but is ${describe(value)}`];
  },
  enum(value, wanted, { path }) {
    const options = Array.isArray(wanted) ? wanted : [];
    if (options.some((option) => same(option, value))) return [];
    return [
      `${path} must be one of ${options.map((one) => JSON.stringify(one)).join(", ")}, but is ${describe(value)}`,
    ];
  },
  const: (value, wanted, { path }) =>
    same(value, wanted) ? [] : [`${path} must be ${JSON.stringify(wanted)}, but is ${describe(value)}`],
  properties(value, wanted, at) {
    if (!isJsonObject(value) || !isJsonObject(wanted)) return [];
    return Object.entries(wanted).flatMap(([key, schema]) =>
      Object.hasOwn(value, key) ? problemsOf(value[key] ?? null, schema, inside(at, `.${key}`)) : [],
    );
  },
  required(value, wanted, { path }) {
    if (!isJsonObject(value) || !Array.isArray(wanted)) return [];
    return wanted
      .filter((key) => !Object.hasOwn(value, String(key)))
      .map((key) => `${path}.${String(key)} is missing`);
  },
  additionalProperties(value, wanted, at) {
    if (!isJsonObject(value)) return [];
    const { properties } = at.schema;
    const known = isJsonObject(properties) ? properties : {};
    return Object.entries(value)
      .filter(([key]) => !Object.hasOwn(known, key))
      .flatMap(([key, one]) => problemsOf(one, wanted, inside(at, `.${key.slice(0, 80)}`)));
  },
  items(value, wanted, at) {
    if (!Array.isArray(value)) return [];
    return value.flatMap((item, index) => problemsOf(item, wanted, inside(at, `[${index}]`)));
  },
  anyOf: (value, wanted, at) => (fitting(value, wanted, at) > 0 ? [] : [noBranch(at.path)]),
  oneOf(value, wanted, at) {
    const count = fitting(value, wanted, at);
    if (count === 1) return [];
    return [count === 0 ? noBranch(at.path) : `${at.path} fits ${count} of the choices, and must fit one`];
  },
  allOf: (value, wanted, at) =>
    Array.isArray(wanted) ? wanted.flatMap((schema) => problemsOf(value, schema, inside(at, ""))) : [],
  not: (value, wanted, at) =>
    problemsOf(value, wanted, inside(at, "")).length > 0 ? [] : [`${at.path} is what it must not be`],
  minimum: numeric((value, limit) => value >= limit, "at least"),
  maximum: numeric((value, limit) => value <= limit, "at most"),
  exclusiveMinimum: numeric((value, limit) => value > limit, "more than"),
  exclusiveMaximum: numeric((value, limit) => value < limit, "less than"),
  multipleOf: numeric((value, step) => Number.isInteger(value / step), "a multiple of"),
  minLength: sized("string", (size, limit) => size >= limit, "at least"),
  maxLength: sized("string", (size, limit) => size <= limit, "at most"),
  minItems: sized("array", (size, limit) => size >= limit, "at least"),
  maxItems: sized("array", (size, limit) => size <= limit, "at most"),
  minProperties: sized("object", (size, limit) => size >= limit, "at least"),
  maxProperties: sized("object", (size, limit) => size <= limit, "at most"),
  uniqueItems(value, wanted, { path }) {
    if (wanted !== true || !Array.isArray(value)) return [];
    return new Set(value.map((item) => canonicalJson(item))).size === value.length
      ? []
      : [`${path} must hold no item twice`];
  },
  pattern(value, wanted, { path }) {
    if (typeof value !== "string" || regularExpression(wanted).test(value)) return [];
    return [`${path} must match ${String(wanted)}, but is ${describe(value)}`];
  },
};

/** With the rules for Unicode where the text keeps to them. */
function regularExpression(text: JsonValue): RegExp {
  try {
    return new RegExp(String(text), "u");
  } catch {
    return new RegExp(String(text));
  }
}

function numeric(holds: (value: number, limit: number) => boolean, words: string): Check {
  return (value, wanted, { path }) =>
    typeof value !== "number" || typeof wanted !== "number" || holds(value, wanted)
      ? []
      : [`${path} must be ${words} ${wanted}, but is ${value}`];
}

function sized(type: string, holds: (size: number, limit: number) => boolean, words: string): Check {
  return (value, wanted, { path }) => {
    if (typeOf(value) !== type || typeof wanted !== "number") return [];
    const size = typeof value === "string" ? [...value].length : Object.keys(value ?? {}).length;
    return holds(size, wanted) ? [] : [`${path} must have a length of ${words} ${wanted}, but has ${size}`];
  };
}

function fitting(value: JsonValue, branches: JsonValue, at: Place): number {
  if (!Array.isArray(branches)) return 0;
  return branches.filter((branch) => problemsOf(value, branch, inside(at, "")).length === 0).length;
}

function noBranch(path: string): string {
  return `${path} fits none of the choices in the schema`;
}

function same(one: JsonValue, other: JsonValue): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** The part that `#/$defs/name` names; undefined when there is none. */
function referred(root: JsonObject, reference: JsonValue): JsonValue | undefined {
  if (reference === "#") return root;
  if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
  let part: JsonValue | undefined = root;
  for (const step of reference.slice(2).split("/")) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    part = isJsonObject(part) && Object.hasOwn(part, key) ? part[key] : undefined;
  }
  return part;
}
