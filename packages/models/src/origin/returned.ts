/** Returns to a server what its own answers brought: the thought under the name it came with, and the other fields. */
import type { AssistantMessage, JsonObject, ToolCall } from "@localharness/protocol";
import { contentPart } from "./answer-fields.ts";

/**
 * Returns the fields in which the thought of a message is sent, and the other fields of the message. A message of another
 * origin gives none. A message without an origin, such as one of an older session, gives its thought as `otherwise`; none
 * if `otherwise` is absent.
 */
export function returnedFields(
  { reasoning, origin }: AssistantMessage,
  madeBy: string | undefined,
  otherwise?: string,
): JsonObject {
  const thought = reasoning === undefined || reasoning === "" ? undefined : reasoning;
  if (origin === undefined) {
    return thought === undefined || otherwise === undefined ? {} : { [otherwise]: thought };
  }
  if (origin.madeBy !== madeBy) return {};
  const names = thought === undefined ? [] : (origin.thoughtIn ?? []).filter((name) => name !== contentPart);
  return { ...origin.fields, ...Object.fromEntries(names.map((name) => [name, thought ?? ""])) };
}

/** Returns the thought if the server sent it as a part of the content, where it then goes back; undefined otherwise. */
export function thoughtInContent(
  { reasoning, origin }: AssistantMessage,
  madeBy: string | undefined,
): string | undefined {
  if (origin === undefined || origin.madeBy !== madeBy) return undefined;
  return origin.thoughtIn?.includes(contentPart) === true ? reasoning : undefined;
}

/** Returns the call's own fields if the message came from this server: those of the call, and those of its `function`. */
export function returnedCallFields(
  { fields }: ToolCall,
  origin: AssistantMessage["origin"],
  madeBy: string | undefined,
): { readonly outer: JsonObject; readonly inner: JsonObject } {
  if (fields === undefined || origin?.madeBy !== madeBy) return { outer: {}, inner: {} };
  const { function: inner, ...outer } = fields;
  const isObject = typeof inner === "object" && inner !== null && !Array.isArray(inner);
  return { outer, inner: isObject ? inner : {} };
}
