/** Reads the thought in a message or in a part of one, whichever field brings it. */
import { isJsonObject, type JsonObject } from "@localharness/protocol";

/**
 * The fields in which servers and gateways send a thought. Some send the same thought in several fields, so the first field
 * that has text counts.
 */
export const thoughtFields: readonly string[] = [
  ["reasoning_content", "reasoning", "thinking", "reasoning_text", "thinking_content", "thought"],
  ["reasoning_details", "thinking_blocks"],
].flat();

/** The fields of the text in a thought that is an object or a list of objects. */
const textFields: readonly string[] = ["text", "content", "thinking", "summary", "reasoning"];

/** The maximum number of lists and objects around a text. */
const maxLevels = 6;

/** Returns the thought in a message; empty if it has none. A field without text hides no other field. */
export function thoughtIn(message: JsonObject): string {
  return firstText(message, thoughtFields, maxLevels);
}

/** Returns the thought in one part of a content that is a list; empty if the part is no thought. */
export function thoughtInPart(part: JsonObject): string {
  const thought = thoughtIn(part);
  const isThought = /^(reasoning|thinking|thought)/.test(String(part["type"]));
  return thought === "" && isThought ? firstText(part, textFields, maxLevels) : thought;
}

function firstText(value: JsonObject, fields: readonly string[], levels: number): string {
  for (const field of fields) {
    const text = textOf(value[field], levels);
    if (text !== "") return text;
  }
  return "";
}

function textOf(value: unknown, levels: number): string {
  if (typeof value === "string" || levels === 0) return typeof value === "string" ? value : "";
  if (Array.isArray(value)) return value.map((item) => textOf(item, levels - 1)).join("");
  return isJsonObject(value) ? firstText(value, textFields, levels - 1) : "";
}
