/** Converts between the results of MCP and `ToolResult`. Nothing is lost in either direction. */
import { isJsonObject, type JsonObject, type JsonValue, type ToolResult } from "@localharness/protocol";
import { resultOutput } from "../tools/result-output.ts";

/** A part of a result: `{"type": "text", "text": "..."}`, or another type of MCP with other fields. */
export type ContentPart = JsonObject & { readonly type: string };

/** The result of a tool in MCP's shape. */
export interface CallResult {
  readonly content: readonly ContentPart[];
  readonly isError?: boolean;
  readonly structuredContent?: JsonValue;
}

/**
 * A `ToolResult` that came from MCP. The key `mcp` has the original result, because a text alone cannot hold images and
 * links.
 */
export interface ReceivedResult extends ToolResult {
  readonly mcp?: CallResult;
}

const errorPrefix = "Error: ";

/**
 * Returns the result in MCP's shape. Its text is the data, or for a failure `Error: ` and the message, followed by the
 * data if there is any. Its structured content is the whole `ToolResult`. A result that came from MCP becomes the
 * original again.
 */
export function toCallResult(result: ReceivedResult): CallResult {
  if (result.mcp !== undefined) return result.mcp;
  const texts = result.success
    ? [result.data ?? ""]
    : [`${errorPrefix}${result.error_message ?? ""}`, ...(result.data === null ? [] : [result.data])];
  return {
    content: texts.map((text) => ({ type: "text", text })),
    isError: !result.success,
    structuredContent: result as unknown as JsonValue,
  };
}

/**
 * Returns the `ToolResult` for a result in MCP's shape. If the structured content is a `ToolResult`, as `toCallResult`
 * writes it, returns that. For other results, `now` (in Unix milliseconds) is the time in the metadata.
 */
export function fromCallResult(result: CallResult, now: number): ReceivedResult {
  const { structuredContent } = result;
  if (isToolResult(structuredContent)) return structuredContent as unknown as ToolResult;
  const output = resultOutput(result as unknown as JsonObject, "", (text) => text);
  const data = output.ok ? output.data : null;
  const message = output.ok ? null : output.message.replace(errorPrefix, "");
  return {
    success: output.ok,
    data,
    error_message: message,
    error_type: output.ok ? "none" : output.errorType,
    metadata: { execution_time_ms: 0, data_size_bytes: Buffer.byteLength(data ?? ""), timestamp: now },
    mcp: result,
  };
}

function isToolResult(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value) || typeof value["success"] !== "boolean") return false;
  return "error_type" in value && "error_message" in value && isJsonObject(value["metadata"]);
}
