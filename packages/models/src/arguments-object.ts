/** Arguments of an earlier call as an object, also when the model wrote something else. */
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import { requestText } from "./request-text.ts";

/** Text that is no JSON object is wrapped: servers refuse or fail on it, and the model still sees what it wrote. */
export function argumentsObject(args: string | JsonObject): JsonObject {
  if (typeof args !== "string") return args;
  return parseObject(args) ?? { unreadable: args };
}

/** As JSON text; text that already is a JSON object stays as it was written, but for halves of characters. */
export function argumentsText(args: string | JsonObject): string {
  if (typeof args === "string" && !/\\ud[89a-f]/i.test(args) && parseObject(args) !== undefined) return args;
  return requestText(argumentsObject(args));
}

export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
