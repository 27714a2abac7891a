/** Reads the content of a tool message, and writes the message with a shorter text. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

/** A `ToolResult` as the model reads it. `text` is what the tool returned, `error` its error message; empty if null. */
export interface ReadResult {
  readonly fields: JsonObject;
  readonly text: string;
  readonly error: string;
}

/** Returns the parts of a tool message; undefined if the content is not the JSON of a `ToolResult`. */
export function readResult(content: string): ReadResult | undefined {
  const fields = parse(content);
  if (!isJsonObject(fields) || typeof fields["success"] !== "boolean") return undefined;
  return { fields, text: textOf(fields["data"]), error: textOf(fields["error_message"]) };
}

/** Returns the JSON of the same result with other texts. A text that was null stays null. */
export function writeResult({ fields }: ReadResult, text: string, error: string): string {
  return JSON.stringify({
    ...fields,
    data: typeof fields["data"] === "string" ? text : null,
    error_message: typeof fields["error_message"] === "string" ? error : null,
  });
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function parse(content: string): JsonValue | undefined {
  try {
    return JSON.parse(content) as JsonValue;
  } catch {
    return undefined;
  }
}
