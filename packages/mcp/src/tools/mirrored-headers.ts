/** Checks the parameters of a tool that its server wants to get in HTTP headers too (`x-mcp-header`). */
import { isJsonObject, type JsonValue } from "@localharness/protocol";

const key = "x-mcp-header";
/** The characters of a header's name, RFC 9110. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/**
 * The types of parameters that can be mirrored. `number` cannot, because the same number can be written in several
 * ways.
 */
const types = ["string", "integer", "boolean"];

/**
 * Returns the reason why the parameters that the schema marks cannot be mirrored into headers; undefined if they can, or if
 * none is marked. A tool for which there is a reason must not be used over HTTP.
 */
export function headerProblem(schema: JsonValue | undefined): string | undefined {
  const names = new Set<string>();
  return problemIn(schema, names, "at the top");
}

/**
 * Returns the first problem in a schema; undefined if there is none. `place` says where the schema is: only the schema
 * of a parameter, or of a property of a parameter, may name a header. Adds the headers to `names`, in lower case.
 */
function problemIn(
  schema: JsonValue | undefined,
  names: Set<string>,
  place: "a parameter" | "at the top" | "elsewhere",
): string | undefined {
  if (Array.isArray(schema)) return first(schema, (one) => problemIn(one, names, "elsewhere"));
  if (!isJsonObject(schema)) return undefined;
  if (Object.hasOwn(schema, key)) {
    const problem = problemOf(schema[key], schema["type"], names);
    if (place !== "a parameter") return `"${key}" is not at a parameter`;
    if (problem !== undefined) return problem;
  }
  return first(Object.entries(schema), ([name, inner]) => {
    if (name !== "properties") return problemIn(inner, names, "elsewhere");
    if (!isJsonObject(inner)) return undefined;
    const below = place === "elsewhere" ? "elsewhere" : "a parameter";
    return first(Object.values(inner), (one) => problemIn(one, names, below));
  });
}

function problemOf(
  name: JsonValue | undefined,
  type: JsonValue | undefined,
  names: Set<string>,
): string | undefined {
  if (typeof name !== "string" || !token.test(name)) return `"${key}" is no name of a header`;
  if (!types.includes(String(type))) {
    return `"${key}" is at a parameter of the type ${JSON.stringify(type ?? null)}`;
  }
  const folded = name.toLowerCase();
  if (names.has(folded)) return `two parameters have the same "${key}"`;
  names.add(folded);
  return undefined;
}

function first<Item>(items: readonly Item[], look: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
