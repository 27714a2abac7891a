/** Reads the body of a tag with the name of a tool that has an object in place of elements. */
import { isObject, propertySchema, type Schema } from "@localharness/schema";
import { parseInner } from "../json/read-json.ts";
import { noteRepair, setOwn } from "../json/result.ts";
import { typeText } from "../markup/type-text.ts";
import type { JsonObject, Repair } from "../types.ts";

/** Returns the arguments in a text that is a JSON object or lines of `key = value`, if the tool has one of the keys. */
export function objectIn(body: string, schema: Schema, repairs: Repair[]): JsonObject | undefined {
  const found: Repair[] = [];
  const object = body.trim().startsWith("{") ? parseInner(body, found) : linesIn(body, schema);
  const isKnown = (key: string) => propertySchema(schema, key) !== undefined;
  if (!isObject(object) || !Object.keys(object).some(isKnown)) return undefined;
  for (const repair of found) noteRepair(repairs, repair);
  return object as JsonObject;
}

function linesIn(body: string, schema: Schema): JsonObject | undefined {
  const args: JsonObject = {};
  for (const line of body.trim().split("\n")) {
    const [, key = "", text = ""] = /^\s*([\w.-]{1,80})\s*=\s*(.*)$/.exec(line) ?? [];
    const inner = propertySchema(schema, key);
    if (inner === undefined) return undefined;
    setOwn(args, key, typeText(text.replace(/^(["'])(.*)\1$/, "$2"), inner, "text"));
  }
  return args;
}
