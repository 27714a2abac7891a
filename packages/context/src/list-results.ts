/** Lists the tool results of a prompt, each with the call that it answers. */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelMessage,
  type ToolCall,
} from "@localharness/protocol";
import { type ReadResult, readResult } from "./result-text.ts";

export interface ListedResult {
  readonly callId: string;
  readonly toolName: string;
  /** The content of the tool message. */
  readonly content: string;
  readonly result: ReadResult;
  /**
   * The tool and the arguments of the call as text. The texts of equal calls differ if their arguments are in another
   * order.
   */
  readonly call: string;
  /** The arguments of the call; empty if they are not a JSON object. */
  readonly args: JsonObject;
}

/** Returns the results in a prompt that are the JSON of a `ToolResult` and whose call is in the prompt, the oldest first. */
export function listResults(messages: readonly ModelMessage[]): readonly ListedResult[] {
  const calls = new Map<string, ToolCall>();
  const listed: ListedResult[] = [];
  for (const message of messages) {
    if (message.role === "assistant") for (const call of message.toolCalls ?? []) calls.set(call.id, call);
    if (message.role !== "tool") continue;
    const { toolCallId: callId, toolName, content } = message;
    const result = readResult(content);
    const call = calls.get(callId);
    if (result === undefined || call === undefined) continue;
    const args = readArguments(call.arguments);
    const text = args === undefined ? String(call.arguments) : JSON.stringify(args);
    listed.push({ callId, toolName, content, result, args: args ?? {}, call: `${toolName} ${text}` });
  }
  return listed;
}

/** Returns the arguments as an object; undefined if they are text that is not the JSON of an object. */
function readArguments(given: ToolCall["arguments"]): JsonObject | undefined {
  if (typeof given !== "string") return given;
  try {
    const value: JsonValue = JSON.parse(given);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
