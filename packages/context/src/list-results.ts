/** Lists the tool results of a prompt, each with the call that it answers. */
import type { JsonObject, ModelMessage, ToolCall } from "@localharness/protocol";
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
  /** The arguments of the call; empty if the model's server sent them as JSON text. */
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
    const { arguments: given } = call;
    const args = typeof given === "string" ? {} : given;
    listed.push({ callId, toolName, content, result, args, call: `${toolName} ${argumentsText(given)}` });
  }
  return listed;
}

function argumentsText(args: ToolCall["arguments"]): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}
