/** Converts the arguments of calls to objects, for templates that read their keys. */
import type { JsonObject } from "@localharness/protocol";
import { FailedMessages } from "./read-messages.ts";

/** Returns the message with objects as arguments. Throws `FailedMessages` for arguments that are not JSON. */
export function withObjectArguments(message: JsonObject): JsonObject {
  const calls = message["tool_calls"];
  if (!Array.isArray(calls)) return message;
  return { ...message, tool_calls: (calls as JsonObject[]).map(asObject) };
}

function asObject(call: JsonObject): JsonObject {
  const made = call["function"] as JsonObject;
  const { arguments: args } = made;
  if (typeof args !== "string") return call;
  try {
    return { ...call, function: { ...made, arguments: JSON.parse(args) } };
  } catch (error) {
    throw new FailedMessages("Failed to parse tool call arguments as JSON: parse error", { cause: error });
  }
}
