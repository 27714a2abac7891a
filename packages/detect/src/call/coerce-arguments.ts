/** Types the arguments of a call by their schema, and says what was changed as repairs. */
import { coerce, isObject, type Schema } from "@localharness/schema";
import { parseInner } from "../json/read-json.ts";
import type { JsonValue, Repair } from "../types.ts";

const repairOf = { typed: "typed-value", renamed: "argument-key", dropped: "dropped-key" } as const;

/** When `textStays`, a text at the first level is not read as anything else. */
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
