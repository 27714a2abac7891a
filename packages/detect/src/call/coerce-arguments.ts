/** Coerces the arguments of a call to the types of their schema, and reports each change as a repair. */
import { coerce, isObject, type Schema } from "@localharness/schema";
import { parseInner } from "../json/read-json.ts";
import type { JsonValue, Repair } from "../types.ts";

const repairOf = { typed: "typed-value", renamed: "argument-key", dropped: "dropped-key" } as const;

/** Returns the typed arguments, and adds repairs. With `textStays`, a text stays a text unless its key is renamed. */
export function coerceArguments(
  args: JsonValue,
  schema: Schema,
  repairs: Set<Repair>,
  textStays = false,
): JsonValue {
  if (!isObject(args)) return args;
  const inside: Repair[] = [];
  const readJson = (text: string) => parseInner(text, inside);
  const { value, changes } = coerce(args as JsonValue, schema, "", { readJson, textStays });
  for (const repair of [...inside, ...changes.map(({ kind }) => repairOf[kind])]) repairs.add(repair);
  return value;
}
