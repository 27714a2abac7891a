/**
 * Finds the branch of a union schema (`anyOf`, `oneOf`) that a value probably fits. Compares only the value and its direct
 * members.
 */
import { isObject, type JsonObject, type JsonValue } from "./json.ts";
import { isListed, limitOf } from "./limits.ts";
import { isClosed, isForbidden, membersOf, propertyNames, requiredNames } from "./members.ts";
import { branches, type Schema } from "./schema.ts";

/**
 * Returns the branch of a union that fits the value best. Returns the schema itself if it declares properties, is not a union,
 * or has no branch that fits.
 */
export function chooseBranch(value: JsonValue, schema: Schema): Schema {
  if (isObject(schema.node["properties"])) return schema;
  return rankBranches(value, branches(schema))[0] ?? schema;
}

/**
 * Returns true if a branch of the union takes the object and its direct members as they are: they fit, no required key is
 * missing, and no key is forbidden.
 */
export function fitsBranch(value: JsonObject, union: Schema): boolean {
  return branches(union).some((branch) => {
    const members = membersOf(value, branch);
    if (limitOf(value, branch) !== undefined || !hasRequired(value, branch)) return false;
    const fits = members.every(([, item, inner]) => limitOf(item, inner) === undefined);
    return fits && allows(members, branch) && !Object.keys(value).some((key) => isForbidden(branch, key));
  });
}

/** Returns the branches that the value may fit, the best first. */
export function rankBranches(value: JsonValue, union: readonly Schema[]): Schema[] {
  return union
    .map((branch) => ({ branch, score: scoreOf(value, branch) }))
    .filter(({ score }) => score >= 0)
    .sort((a, b) => b.score - a.score)
    .map(({ branch }) => branch);
}

/**
 * Returns how well a value fits a branch, or -1 if it cannot fit. Each declared key counts 1. Members that fit, a complete set
 * of required keys, and that no key is forbidden add a fraction below 1.
 */
function scoreOf(value: JsonValue, branch: Schema): number {
  if (limitOf(value, branch) !== undefined) return -1;
  const members = membersOf(value, branch);
  const fitting = members.filter(([, item, inner]) => limitOf(item, inner) === undefined).length;
  if (!isObject(value)) return fitting / (members.length + 1);
  if (members.some(([, item, inner]) => !isListed(item, inner))) return -1;
  const names = new Set(propertyNames(branch));
  const declared = Object.keys(value).filter((key) => names.has(key)).length;
  const bonus = (hasRequired(value, branch) ? 1 : 0) + (allows(members, branch) ? 1 : 0);
  return declared + (fitting + bonus) / (members.length + 3);
}

function hasRequired(value: JsonObject, branch: Schema): boolean {
  return requiredNames(branch).every((name) => Object.hasOwn(value, name));
}

function allows(members: ReturnType<typeof membersOf>, branch: Schema): boolean {
  return !isClosed(branch) || members.every(([, , inner]) => inner !== undefined);
}
