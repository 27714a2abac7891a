/** Reads a list that a model wrote without brackets. */
import { convertText, isTextOnly, itemSchema, type Schema, typesOf } from "@localharness/schema";
import type { JsonValue } from "../types.ts";

/** Returns the list in a text without brackets: `1, 2, 3`, numbers on lines, or several texts on lines; else undefined. */
export function listInText(text: string, schema: Schema | undefined): JsonValue[] | undefined {
  const item = schema && itemSchema(schema, 0);
  if (isTextOnly(item)) {
    const lines = text.split("\n").flatMap((line) => line.trim() || []);
    const isMarked = lines.every((line) => /^[-*] /.test(line));
    return lines.length < 2 ? undefined : lines.map((line) => (isMarked ? line.slice(2).trim() : line));
  }
  const types = item ? typesOf(item) : new Set<never>();
  if (!types.has("number") && !types.has("integer")) return undefined;
  const numbers = text
    .trim()
    .split(/[,\s]+/)
    .map((part) => convertText(part, types));
  return numbers.every((number) => typeof number === "number") ? numbers : undefined;
}
