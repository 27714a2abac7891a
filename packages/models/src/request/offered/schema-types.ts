/** Reads the type of a schema, also if it is written as in another language, or follows only from other keywords. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

const types: ReadonlySet<string> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
]);
/** Matches the types of other languages, such as `uint32`, `list[int]` and `string[]`. */
const otherNames: readonly (readonly [type: string, name: RegExp])[] = [
  ["array", /\[\]$|^(?:list|tuple|array)\b/],
  ["string", /^(?:str|text|varchar|char)\b/],
  ["integer", /^(?:u?int\d*|short|long)\b/],
  ["number", /^(?:float\d*|double|decimal)\b/],
  ["boolean", /^bool\b/],
  ["object", /^(?:dict|map)\b/],
];

/**
 * Returns the type, or the types of a value that may have several; null does not count beside others. Returns undefined if the
 * value may have any type.
 */
export function typeOf(node: JsonObject): string | string[] | undefined {
  const { type } = node;
  const all = (Array.isArray(type) ? type : [type]).flatMap((one) => known(one) ?? []);
  const named = [...new Set(all)].filter((one) => one !== "null" || all.length === 1);
  const kinds = named.includes("number") ? named.filter((one) => one !== "integer") : named;
  if (kinds.length > 1) return kinds;
  return kinds[0] ?? inferred(node);
}

function known(type: JsonValue | undefined): string | undefined {
  if (typeof type !== "string") return undefined;
  const name = type.toLowerCase();
  return types.has(name) ? name : otherNames.find(([, other]) => other.test(name))?.[0];
}

const ofText = ["pattern", "minLength", "maxLength", "format"];
const ofNumber = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

function inferred(node: JsonObject): string | undefined {
  if (isJsonObject(node["properties"]) || isJsonObject(node["additionalProperties"])) return "object";
  if (node["items"] !== undefined || node["prefixItems"] !== undefined) return "array";
  const values = node["const"] === undefined ? node["enum"] : [node["const"]];
  if (Array.isArray(values)) return typeOfValues(values);
  if (ofText.some((key) => node[key] !== undefined)) return "string";
  return ofNumber.some((key) => node[key] !== undefined) ? "number" : undefined;
}

/** Returns the type that all values except null have; undefined if they have several. */
function typeOfValues(values: readonly JsonValue[]): string | undefined {
  const found = new Set(values.filter((value) => value !== null).map((value) => typeof value));
  const [type] = found;
  return found.size === 1 && type !== undefined && type !== "object" ? type : undefined;
}
