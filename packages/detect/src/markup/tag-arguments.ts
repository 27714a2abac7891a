/** Checks and unwraps the arguments of a call with tags after all of them have been read. */
import { isObject, propertyNames, propertySchema, requiredNames, type Schema } from "@localharness/schema";
import type { Draft } from "../call/draft.ts";
import { parseInner } from "../json/read-json.ts";
import { noteRepair } from "../json/result.ts";
import type { JsonValue } from "../types.ts";
import { wrapperKeys } from "./shown-arguments.ts";

/** Unwraps arguments that were all written as JSON under one of `wrapperKeys`, if the tool has no argument with that key. */
export function unwrap(draft: Draft, args: { readonly [key: string]: JsonValue }, schema: Schema): void {
  const keys = Object.keys(args);
  const key = keys[0];
  if (keys.length !== 1 || key === undefined || !wrapperKeys.includes(key)) return;
  if (propertySchema(schema, key) !== undefined) return;
  const value = args[key];
  const inner = typeof value === "string" ? parseInner(value, draft.repairs) : value;
  if (!isObject(inner)) return;
  noteRepair(draft.repairs, "argument-key");
  draft.args = inner as JsonValue;
}

/** Drops arguments that the tool does not have. If a required one is missing, drops all of them. */
export function checkStrictly(draft: Draft, schema: Schema): void {
  if (!isObject(draft.args)) return;
  const declared = new Set(propertyNames(schema));
  const kept = Object.entries(draft.args).filter(([key]) => declared.has(key));
  if (kept.length < Object.keys(draft.args).length) noteRepair(draft.repairs, "dropped-key");
  const complete = requiredNames(schema).every((name) => kept.some(([key]) => key === name));
  if (complete) draft.args = Object.fromEntries(kept) as JsonValue;
  else delete draft.args;
}
