/** Converts the arguments of an earlier call to an object or to JSON text, even if the model wrote something else. */
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import { requestText } from "../request/request-text.ts";

/**
 * Returns the arguments as an object. Text that is not a JSON object is wrapped in an object: servers refuse such text
 * or fail on it, and in the object the model still sees it.
 */
export function argumentsObject(args: string | JsonObject): JsonObject {
  if (typeof args !== "string") return args;
  return parseObject(args) ?? { unreadable: args };
}

/**
 * Returns the arguments as the JSON text of an object. Text that is a JSON object stays as it is; if it has an escaped
 * surrogate, it is written again, with U+FFFD for each lone surrogate. Other text is wrapped, as by `argumentsObject`.
 */
export function argumentsText(args: string | JsonObject): string {
  if (typeof args === "string" && !/\\ud[89a-f]/i.test(args) && parseObject(args) !== undefined) return args;
  return requestText(argumentsObject(args));
}

/** Parses a JSON object. Returns undefined for text that is not a JSON object. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
