/** Checks the less common limits of a schema: exclusive bounds, multiples, different elements, numbers of keys, and `not`. */
import { isObject, isSame, type JsonValue } from "./json.ts";
import { matches } from "./matches.ts";
import type { Schema } from "./schema.ts";

/** Returns, in words, the first of these limits that the value does not meet; undefined if it meets all of them. */
export function boundOf(value: JsonValue, { node }: Schema): string | undefined {
  const number = (keyword: string) => (typeof node[keyword] === "number" ? node[keyword] : undefined);
  if (typeof value === "number") {
    const [above, below, step] = [
      number("exclusiveMinimum"),
      number("exclusiveMaximum"),
      number("multipleOf"),
    ];
    if (above !== undefined && value <= above) return `a number above ${above}`;
    if (below !== undefined && value >= below) return `a number below ${below}`;
    return step !== undefined && !isMultiple(value, step) ? `a multiple of ${step}` : undefined;
  }
  if (Array.isArray(value)) {
    return node["uniqueItems"] === true && hasDoubles(value) ? "an array without equal elements" : undefined;
  }
  if (!isObject(value)) return undefined;
  const size = Object.keys(value).length;
  const [least, most] = [number("minProperties"), number("maxProperties")];
  if (least !== undefined && size < least) return `an object with at least ${least} ${keyWord(least)}`;
  return most !== undefined && size > most ? `an object with at most ${most} ${keyWord(most)}` : undefined;
}

function keyWord(count: number): string {
  return count === 1 ? "key" : "keys";
}

function isMultiple(value: number, step: number): boolean {
  if (step <= 0 || !Number.isFinite(value)) return true;
  const times = value / step;
  // A multiple such as 0.3 of 0.1 is not exact in binary.
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}

/** The maximum number of elements that are compared with each other. */
const maxCompared = 1_000;

function hasDoubles(values: readonly JsonValue[]): boolean {
  if (values.length > maxCompared) return false;
  return values.some((value, at) => values.slice(at + 1).some((other) => isSame(value, other)));
}

/** The keywords of a schema under `not` that are checked. A schema with others may allow more than is known. */
const decided = ["enum", "const", "pattern", "title", "description"];

/** Returns true if `not` surely forbids the value: it lists it, or has a pattern that the text matches. */
export function isExcluded(value: JsonValue, { node }: Schema): boolean {
  const not = node["not"];
  if (!isObject(not) || !Object.keys(not).every((key) => decided.includes(key))) return false;
  const { enum: options, const: only, pattern } = not;
  const isMet = [
    ...(only === undefined ? [] : [isSame(only, value)]),
    ...(Array.isArray(options) ? [options.some((one) => isSame(one, value))] : []),
    ...(typeof pattern === "string" && typeof value === "string" ? [matches(pattern, value) === true] : []),
  ];
  return isMet.length > 0 && isMet.every(Boolean);
}
