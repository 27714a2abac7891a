/** Coerces the arguments of a call to the types of their schema, and reports each change as a repair. */
import { coerce, isObject, type Schema } from "@localharness/schema";
import { parseInner } from "../json/read-json.ts";
import type { JsonValue, Repair } from "../types.ts";

const repairOf = {
  typed: "typed-value",
  renamed: "argument-key",
  dropped: "dropped-key",
  defaulted: "default-value",
} as const;

/** Returns the typed arguments, and adds repairs. The arguments in `texts` stay texts unless their key is renamed. */
export function coerceArguments(
  args: JsonValue,
  schema: Schema,
  repairs: Set<Repair>,
  texts: ReadonlySet<string> = new Set(),
): JsonValue {
  if (!isObject(args)) return args;
  const inside: Repair[] = [];
  const readJson = (text: string) => parseInner(text, inside);
  const { value, changes } = coerce(args as JsonValue, schema, "", { readJson, texts });
  for (const repair of [...inside, ...changes.map(({ kind }) => repairOf[kind])]) repairs.add(repair);
  return value;
}
