/** Checks the arguments of a format that takes only what the tool declares. */
import { isObject, parametersSchema, propertyNames, requiredNames } from "@localharness/schema";
import { noteRepair } from "../json/result.ts";
import type { JsonObject, JsonValue, Repair, ToolSchema } from "../types.ts";
import { coerceArguments } from "./coerce-arguments.ts";

/**
 * Returns the arguments that the tool has, under the names that it declares, and reports that others are dropped. Returns
 * undefined if a required one is missing.
 */
export function declaredOnly(
  args: JsonObject,
  { repairs, texts }: { readonly repairs: Repair[]; readonly texts?: ReadonlySet<string> },
  { parameters }: ToolSchema,
): JsonObject | undefined {
  const schema = parametersSchema(parameters);
  const found = new Set<Repair>();
  const typed: JsonValue = coerceArguments(args, schema, found, texts);
  const declared = new Set(propertyNames(schema));
  const kept = Object.entries(isObject(typed) ? (typed as JsonObject) : {}).filter(([key]) =>
    declared.has(key),
  );
  if (!requiredNames(schema).every((name) => kept.some(([key]) => key === name))) return undefined;
  for (const repair of found) noteRepair(repairs, repair);
  if (kept.length < Object.keys(args).length) noteRepair(repairs, "dropped-key");
  return Object.fromEntries(kept);
}
