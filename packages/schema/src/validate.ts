/** Checks values against their schema, and describes problems in words that a model can act on. */
import { rankBranches } from "./choose-branch.ts";
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from "./json.ts";
import { limitOf } from "./limits.ts";
import { type Aliases, meantNames } from "./meant-names.ts";
import { isClosed, isForbidden, membersOf, propertySchema, requiredNames } from "./members.ts";
import { parseJson } from "./parse-json.ts";
import { listed, type Schema } from "./schema.ts";
import { describe, expectation, missing, pathOf, quoted, wrong } from "./words.ts";

/** The maximum number of problems in one message. */
const maxProblems = 10;

/**
 * Returns the maximum number of checks, because a schema that refers to itself in several ways could be checked without end. It
 * grows with the value, of which each part is checked a few times.
 */
function maxSteps(value: JsonValue): number {
  return Math.min(200_000, 20_000 + 20 * countParts(value));
}

function countParts(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((count, item) => count + countParts(item), 1);
}

interface Walk {
  readonly problems: Set<string>;
  readonly steps: { left: number };
  /** The schemas that the current value was checked against. Each is used only once, because a schema may refer to itself. */
  readonly seen: Set<JsonSchema>;
}

/**
 * Returns the problems of a value in words, at most `maxProblems`; an empty list if the value is valid. `path` is the name of
 * the value in these messages, such as `items[2].name`. `aliases` are other names for the keys at the first level: an alias
 * and its name with different values are a problem.
 */
export function validate(value: JsonValue, schema: Schema, path = "", aliases?: Aliases): readonly string[] {
  const walk: Walk = { problems: new Set(), steps: { left: maxSteps(value) }, seen: new Set() };
  check(walk, value, schema, path, aliases);
  return [...walk.problems].slice(0, maxProblems);
}

function check(walk: Walk, value: JsonValue, schema: Schema, path: string, aliases?: Aliases): void {
  if (walk.seen.has(schema.node) || walk.problems.size >= maxProblems) return;
  walk.seen.add(schema.node);
  walk.steps.left -= 1;
  const limit = walk.steps.left < 0 ? "a value with fewer parts" : limitOf(value, schema);
  if (limit !== undefined) {
    walk.problems.add(ambiguity(value, path) ?? wrong(path, value, limit));
    return;
  }
  if (isObject(value)) checkKeys(walk, value, schema, path, aliases);
  const own = { root: schema.root, node: { ...schema.node, allOf: [], anyOf: [], oneOf: [] } };
  for (const [member, item, inner] of membersOf(value, own))
    if (inner !== undefined) check({ ...walk, seen: new Set() }, item, inner, pathOf(path, member));
  for (const part of listed(schema, "allOf")) check(walk, value, part, path);
  checkUnion(walk, value, schema, listed(schema, "anyOf"), path);
  checkUnion(walk, value, schema, listed(schema, "oneOf"), path);
}

function checkUnion(walk: Walk, value: JsonValue, schema: Schema, union: Schema[], path: string): void {
  if (union.length === 0) return;
  let problems: ReadonlySet<string> | undefined;
  for (const branch of rankBranches(value, union)) {
    const tried: Walk = { ...walk, problems: new Set(), seen: new Set(walk.seen) };
    check(tried, value, branch, path);
    if (tried.problems.size === 0) return;
    problems ??= tried.problems;
  }
  // For an object or a list, the problems of the best branch tell more than "must be one of these types".
  const inside = typeof value === "object" ? problems : undefined;
  for (const problem of inside ?? [ambiguity(value, path) ?? wrong(path, value, expectation(schema))])
    walk.problems.add(problem);
}

function checkKeys(walk: Walk, value: JsonObject, schema: Schema, path: string, aliases?: Aliases): void {
  const { clashes } = meantNames(value, schema, aliases);
  const clashing = [...clashes.values()].flat();
  for (const [name, keys] of clashes) {
    const [one, other] = keys.map((key) => `${quoted(key)} (${describe(value[key])})`);
    walk.problems.add(
      `${one} and ${other} are both the parameter "${pathOf(path, name)}", with different values: give it once, as "${name}"`,
    );
  }
  for (const name of requiredNames(schema)) {
    if (Object.hasOwn(value, name) || clashes.has(name)) continue;
    walk.problems.add(missing(pathOf(path, name), propertySchema(schema, name)));
  }
  const closed = isClosed(schema);
  for (const key of Object.keys(value).filter((one) => !clashing.includes(one))) {
    const isStrange = closed && propertySchema(schema, key) === undefined;
    if (isStrange || isForbidden(schema, key)) {
      walk.problems.add(`parameter ${quoted(pathOf(path, key))} is not known`);
    }
  }
}

/** Returns the problem of a JSON text that could be read in two ways; undefined for any other value. */
function ambiguity(value: JsonValue, path: string): string | undefined {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return undefined;
  const parsed = parseJson(value);
  return parsed.ok || parsed.sound ? undefined : `parameter "${path}" is ${parsed.message}`;
}
