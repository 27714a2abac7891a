/**
 * Coerces values to the types of their schema, if a value can be read in only one way: `"3"` becomes 3 for a number, a text that
 * contains JSON is read, and a key in another spelling is renamed. Drops keys that the schema forbids, and nulls that mean a
 * missing value. A required key that is missing gets its default. A value that fits no type does not change.
 */
import { chooseBranch, fitsBranch } from "./choose-branch.ts";
import { convertText, type ReadJson } from "./convert-text.ts";
import { isObject, type JsonObject, type JsonValue } from "./json.ts";
import { type Aliases, meantNames } from "./meant-names.ts";
import { isClosed, isForbidden, itemSchema, propertySchema, requiredNames } from "./members.ts";
import { foldWord } from "./names.ts";
import { readJson } from "./parse-json.ts";
import { openSchema, parts, type Schema } from "./schema.ts";
import { hasType, isOnly, isTextOnly, type Types, typeOfValue, typesOf } from "./types-of.ts";
import { validate } from "./validate.ts";
import { describe, pathOf, quoted } from "./words.ts";

/**
 * One change made to a value: it was converted (to another type or an `enum` option), a key was renamed or dropped, or a
 * required key that was missing got its default.
 */
export interface Change {
  readonly kind: "typed" | "renamed" | "dropped" | "defaulted";
  /** The path of the value. For a key it is the path of its object. */
  readonly path: string;
  /** The key that was renamed or dropped, as the model wrote it, or the key that got its default. */
  readonly key?: string;
  /**
   * The change in words. Absent if the key is an alias or another spelling of the declared name, or if a null was dropped
   * because it means a missing value.
   */
  readonly note?: string;
}

export type Coerced = { readonly value: JsonValue; readonly changes: readonly Change[] };

export interface CoerceOptions {
  /** Reads the text of a list or an object. By default it accepts only JSON that all readers read in the same way. */
  readonly readJson?: ReadJson;
  /** Other names for the keys at the first level. */
  readonly aliases?: Aliases;
  /**
   * The keys at the first level whose texts must stay texts, because the call says that they are texts. A text under a key
   * that is renamed is converted nevertheless.
   */
  readonly texts?: ReadonlySet<string>;
}

interface Walk extends CoerceOptions {
  readonly readJson: ReadJson;
  readonly changes: Change[];
}

interface Position {
  readonly schema: Schema;
  /** The union of which `schema` is a branch. */
  readonly union?: Schema;
  readonly path: string;
  readonly depth: number;
}

/**
 * Returns the value with the types of the schema as far as possible (maybe still invalid), and the changes. Does not change
 * the given value, but may return parts of it. `path` is the name of the value in notes, such as `items[2].name`.
 */
export function coerce(value: JsonValue, schema: Schema, path = "", options: CoerceOptions = {}): Coerced {
  const walk: Walk = { readJson, ...options, changes: [] };
  return { value: coerceValue(walk, value, { schema, path, depth: 0 }), changes: walk.changes };
}

/** The maximum depth at which values are coerced. */
const maxDepth = 60;

function coerceValue(walk: Walk, value: JsonValue, position: Position): JsonValue {
  if (position.depth > maxDepth || position.schema === openSchema) return value;
  const typed = coerceWhole(walk, value, position);
  if (typed === undefined) return value;
  if (typeof typed !== "object" || typed === null) return typed;
  const inside = { ...position, schema: chooseBranch(typed, position.schema), union: position.schema };
  if (!Array.isArray(typed)) return coerceObject(walk, typed, inside);
  const schemaOf = (index: number) => itemSchema(inside.schema, index);
  return typed.map((item, index) => coerceValue(walk, item, memberOf(inside, schemaOf(index), index)));
}

function memberOf({ path, depth }: Position, schema: Schema | undefined, member: string | number): Position {
  return { schema: schema ?? openSchema, path: pathOf(path, member), depth: depth + 1 };
}

/** Returns the value with a type that the schema allows; undefined if that is impossible. The caller coerces its members. */
function coerceWhole(walk: Walk, value: JsonValue, position: Position): JsonValue | undefined {
  const types = typesOf(position.schema);
  const isTyped = types.size === 0 || hasType(value, types);
  const typed = isTyped ? value : convert(walk, value, types, position.schema);
  const meant = typeof typed === "string" ? meantOption(typed, position.schema) : undefined;
  if (meant !== undefined) return noted(walk, value, meant, position, JSON.stringify(meant));
  if (typed === undefined) return lastResort(walk, value, position);
  return typed === value ? value : noted(walk, value, typed, position, typeOfValue(typed));
}

function noted(walk: Walk, from: JsonValue, to: JsonValue, { path }: Position, as: string): JsonValue {
  walk.changes.push({ kind: "typed", path, note: `${path}: read ${describe(from)} as ${as}` });
  return to;
}

function convert(walk: Walk, value: JsonValue, types: Types, schema: Schema): JsonValue | undefined {
  if (typeof value === "string") return convertText(value, types, walk.readJson);
  if (isOnly("boolean", types) && (value === 0 || value === 1)) return value === 1;
  // A longer number has lost digits.
  const isShort = typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return (isShort || typeof value === "boolean") && isOnly("string", types) && !isPath(schema)
    ? String(value)
    : undefined;
}

/** Returns true if the schema wants a path. A number is not read as a path, because it may have lost its spelling (1e3, 007). */
function isPath(schema: Schema): boolean {
  return parts(schema).some(({ node }) => node["format"] === "path");
}

/** Returns the only `enum` option that equals an invalid text apart from case and separators; else undefined. */
function meantOption(text: string, schema: Schema): JsonValue | undefined {
  const options = parts(schema).flatMap(({ node }) => (Array.isArray(node["enum"]) ? node["enum"] : []));
  if (options.length === 0 || validate(text, schema).length === 0) return undefined;
  const alike = options.filter((option) => typeof option === "string" && foldWord(option) === foldWord(text));
  return alike.length === 1 && foldWord(text) !== "" ? alike[0] : undefined;
}

/**
 * Puts a value into a list, takes the only item out of a list if it is a scalar, or writes an object as JSON text. Returns
 * undefined if none of these is possible, if the result is not valid, or if the schema allows text besides other types.
 */
function lastResort(walk: Walk, value: JsonValue, position: Position): JsonValue | undefined {
  const types = typesOf(position.schema);
  const isTextOrOther = types.has("string") && !isOnly("string", types);
  const attempt = value === null || isTextOrOther ? undefined : otherShape(value, position.schema);
  if (attempt === undefined) return undefined;
  const tried: Walk = { ...walk, changes: [] };
  const typed = coerceValue(tried, attempt, { ...position, depth: position.depth + 1 });
  if (validate(typed, position.schema).length > 0) return undefined;
  noted(walk, value, typed, position, Array.isArray(value) ? "its only item" : typeOfValue(typed));
  for (const change of tried.changes) walk.changes.push(change);
  return typed;
}

function otherShape(value: JsonValue, schema: Schema): JsonValue | undefined {
  const wantsList = typesOf(schema).has("array");
  if (Array.isArray(value)) {
    const isLone = !wantsList && value.length === 1 && typeof value[0] !== "object";
    return isLone ? value[0] : undefined;
  }
  if (isObject(value) && !typesOf(schema).has("object")) {
    // The model wrote the value as in a schema: `{"type": "string", "value": "a.txt"}`.
    const { value: inner, ...rest } = value as JsonObject;
    const isWrapped = inner !== undefined && Object.keys(rest).every((key) => key === "type");
    if (isWrapped && (typeof inner !== "object" || wantsList)) return inner;
  }
  if (wantsList) return [value];
  const isTextOfObject = isObject(value) && isTextOnly(schema) && !isPath(schema);
  return isTextOfObject ? JSON.stringify(value, null, 2) : undefined;
}

function coerceObject(walk: Walk, value: JsonObject, position: Position): JsonObject {
  const { schema, union = schema, path, depth } = position;
  const aliases = depth === 0 ? walk.aliases : undefined;
  const { names, synonyms, doubles, clashes } = meantNames(value, schema, aliases);
  const clashing = [...clashes.values()].flat();
  const required = requiredNames(schema);
  // While a required key is missing, an undeclared key may be another name for it, so no undeclared key is dropped, and no
  // default is taken.
  const entries = Object.entries(value).map(([key, item]) => [names.get(key) ?? key, item] as const);
  const given = new Set(entries.map(([name]) => name));
  const isComplete = required.every((name) => given.has(name));
  const hasStrange = [...given].some((name) => propertySchema(schema, name) === undefined);
  const defaults = hasStrange ? new Map<string, JsonValue>() : defaultsFor(schema, required, entries);
  // A value that another branch takes as it is stays.
  const drops = isComplete && isClosed(schema) && (schema === union || !fitsBranch(value, union));
  const within = path === "" ? "" : ` in ${path}`;
  const change = (kind: Change["kind"], key: string, note?: string) =>
    walk.changes.push({ kind, path, key, ...(note === undefined ? {} : { note }) });
  const kept: [string, JsonValue, Schema | undefined][] = [];
  for (const [key, item] of Object.entries(value)) {
    const name = names.get(key) ?? key;
    const inner = propertySchema(schema, name);
    const isUnknown = inner === undefined && (doubles.has(key) || (drops && !clashing.includes(key)));
    const isNotGiven = !required.includes(name) && isNothing(item, inner);
    if (isUnknown || isForbidden(schema, key)) {
      change("dropped", key, `unknown key ${quoted(key)}${within} was ignored`);
    } else if (isNotGiven || doubles.has(key)) change("dropped", key);
    else if (!defaults.has(name)) {
      const isText = name === key && isMarkedText(walk, key, depth, inner);
      kept.push([name, item, isText ? undefined : inner]);
    }
    if (synonyms.has(key)) change("renamed", key, `read the key ${quoted(key)}${within} as ${quoted(name)}`);
    else if (names.has(key)) change("renamed", key);
  }
  for (const [name, item] of defaults) {
    kept.push([name, item, undefined]);
    change("defaulted", name, `took the default ${describe(item)} for the missing ${quoted(name)}${within}`);
  }
  // The object is made from entries, so that `__proto__` is an ordinary key.
  const typed = ([name, item, inner]: (typeof kept)[number]) =>
    [name, coerceValue(walk, item, memberOf(position, inner, name))] as const;
  return Object.fromEntries(kept.map(typed));
}

/** Returns true if the call says that this value is a text, and the schema allows no text. */
function isMarkedText({ texts }: Walk, key: string, depth: number, inner: Schema | undefined): boolean {
  return depth === 0 && inner !== undefined && texts?.has(key) === true && !typesOf(inner).has("string");
}

/** Returns the valid defaults of the required names that are missing, or have nothing as their value. */
function defaultsFor(
  schema: Schema,
  required: readonly string[],
  entries: readonly (readonly [name: string, item: JsonValue])[],
): ReadonlyMap<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  for (const name of required) {
    const inner = propertySchema(schema, name);
    const isGiven = entries.some(([key, item]) => key === name && !isNothing(item, inner));
    if (inner === undefined || isGiven) continue;
    const stated = parts(inner).map(({ node }) => node["default"] as JsonValue | undefined);
    const value = stated.find((one) => one !== undefined);
    if (value !== undefined && validate(value, inner).length === 0) found.set(name, structuredClone(value));
  }
  return found;
}

/** Returns true for null, or a word for null, if the schema allows neither. It then means that the value is missing. */
function isNothing(item: JsonValue, schema: Schema | undefined): boolean {
  if (schema === undefined || validate(null, schema).length === 0) return false;
  if (item === null) return true;
  const types = typesOf(schema);
  return typeof item === "string" && types.size > 0 && !types.has("string") && nothing.test(item);
}

const nothing = /^\s*(?:null|None|undefined)?\s*$/;
