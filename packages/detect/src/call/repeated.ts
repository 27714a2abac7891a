/** Joins the values of an argument that is given several times. */
import { itemSchema, propertySchema, type Schema, typesOf } from "@localharness/schema";
import { setLast, setOwn } from "../json/result.ts";
import type { JsonObject, JsonValue, Repair } from "../types.ts";

/**
 * Adds an argument. If it is there already, its values become a list where the schema wants a list, or if the format
 * `repeats` arguments for that; else the last value counts, which is reported. `lists` has the names of joined arguments.
 */
export function addArgument(
  args: JsonObject,
  key: string,
  value: JsonValue,
  to: { schema: Schema; repairs: Repair[]; lists: Set<string>; repeats?: boolean | undefined },
): void {
  const before = Object.hasOwn(args, key) ? args[key] : undefined;
  const inner = propertySchema(to.schema, key);
  const wantsList = inner !== undefined && typesOf(inner).has("array");
  if (before === undefined || !(wantsList || to.repeats)) {
    setLast(args, key, value, to.repairs);
    return;
  }
  const item = wantsList ? itemSchema(inner, 0) : undefined;
  const holdsLists = item !== undefined && typesOf(item).has("array");
  const asList = (one: JsonValue): JsonValue[] =>
    Array.isArray(one) && (!holdsLists || one.every(Array.isArray)) ? one : [one];
  const added = wantsList ? asList(value) : [value];
  if (to.lists.has(key) && Array.isArray(before)) for (const one of added) before.push(one);
  else setOwn(args, key, [...asList(before), ...added]);
  to.lists.add(key);
}
