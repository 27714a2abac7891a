/** Reads arguments in lines that begin with the name of a parameter, for text that is not YAML. */
import { propertyNames, propertySchema, type Schema } from "@localharness/schema";
import { setOwn } from "../json/result.ts";
import { typeText } from "../markup/type-text.ts";
import type { JsonObject, Repair } from "../types.ts";

/** Returns the arguments. Each begins at a line with its name. Undefined if the first line has no name of a parameter. */
export function parseKeyedText(text: string, schema: Schema, repairs: Repair[] = []): JsonObject | undefined {
  const names = new Set(propertyNames(schema));
  const args: JsonObject = {};
  let key: string | undefined;
  let value = "";
  const finish = () => {
    if (key !== undefined) setOwn(args, key, typeText(value, propertySchema(schema, key), "text", repairs));
  };
  for (const line of text.replace(/^\r?\n/, "").split("\n")) {
    const found = /^([\w.-]+): ?(.*)$/s.exec(line);
    if (found && names.has(found[1] ?? "") && found[1] !== key && !Object.hasOwn(args, found[1] ?? "")) {
      finish();
      key = found[1];
      value = found[2] ?? "";
    } else if (key === undefined) {
      return undefined;
    } else {
      value += `\n${line}`;
    }
  }
  finish();
  return key === undefined ? undefined : args;
}
