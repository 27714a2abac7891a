/** Describes values and schemas in words, for messages that a model can act on. */
import type { JsonValue } from "./json.ts";
import { itemSchema } from "./members.ts";
import { branches, type Schema } from "./schema.ts";
import { type TypeName, typesOf } from "./types-of.ts";

/** Returns a value in a few words: `the string "abc"`, `an array of 3`. */
export function describe(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (typeof value === "string") {
    return `the string ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`;
  }
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value !== "object") return `the ${typeof value} ${value}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return "an object with no keys";
  const shown = keys.slice(0, 5).map((key) => JSON.stringify(key.slice(0, 40)));
  return `an object with the keys ${shown.join(", ")}${keys.length > 5 ? ", …" : ""}`;
}

/** Returns what a schema expects, in words: `one of "name", "size"`, `an integer`. */
export function expectation(schema: Schema, depth = 0): string {
  const { node } = schema;
  if (Array.isArray(node["enum"])) {
    return `one of ${node["enum"].map((option) => JSON.stringify(option)).join(", ")}`;
  }
  if (node["const"] !== undefined) return JSON.stringify(node["const"]);
  const union = depth > 3 ? [] : branches(schema);
  const words =
    union.length > 0
      ? union.map((branch) => expectation(branch, depth + 1))
      : [...typesOf(schema)].map((type) => typeInWords(type, schema, depth));
  return words.length === 0 ? "any value" : [...new Set(words)].join(" or ");
}

function typeInWords(type: TypeName, schema: Schema, depth: number): string {
  if (type === "null") return "null";
  if (type === "array") {
    const item = depth > 3 ? undefined : itemSchema(schema, 0);
    return item === undefined ? "an array" : `an array of: ${expectation(item, depth + 1)}`;
  }
  const { minimum, maximum } = schema.node;
  const limits: string[] = [];
  if (typeof minimum === "number") limits.push(`at least ${minimum}`);
  if (typeof maximum === "number") limits.push(`at most ${maximum}`);
  const article = type === "integer" || type === "object" ? "an" : "a";
  return `${article} ${type}${limits.length === 0 ? "" : ` (${limits.join(", ")})`}`;
}

/** Returns the path of a member: `items[2]`, `point.x`. */
export function pathOf(parent: string, member: string | number): string {
  if (typeof member === "number") return `${parent}[${member}]`;
  return parent === "" ? member : `${parent}.${member}`;
}

/** Returns a key in quotes, cut to 80 characters, for a message. */
export function quoted(key: string): string {
  return JSON.stringify(key.slice(0, 80));
}

/** Returns the message about a wrong value. */
export function wrong(path: string, value: JsonValue, expected: string): string {
  return `parameter "${path}" must be ${expected}, but is ${describe(value)}`;
}

/** Returns the message about a missing value. */
export function missing(path: string, schema: Schema | undefined): string {
  const description = schema?.node["description"];
  const about = typeof description === "string" ? ` (${description})` : "";
  const expected = schema === undefined ? "any value" : expectation(schema);
  return `parameter "${path}" is missing; expected ${expected}${about}`;
}
