/** Writes the ids and names of calls so that every API takes them, the same in a call and in its result. */
import type { ModelMessage, ToolCall } from "@localharness/protocol";
import { createPlainIds, isPlainName, plainName } from "./short-ids.ts";

/**
 * Returns the messages with plain ids and names. A call has the name of the tool that answered it: a model may have called the
 * tool by another name. Returns the same messages if nothing has to change.
 */
export function plainCalls(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const answered = new Map<string, string>();
  for (const message of messages) {
    if (message.role === "tool" && isPlainName(message.toolName)) {
      answered.set(message.toolCallId, message.toolName);
    }
  }
  const ids = createPlainIds();
  const nameOf = (call: ToolCall) => answered.get(call.id) ?? plainName(call.name);
  return messages.map((message) => {
    if (message.role === "tool") {
      const [toolCallId, toolName] = [ids.of(message.toolCallId), plainName(message.toolName)];
      const isSame = toolCallId === message.toolCallId && toolName === message.toolName;
      return isSame ? message : { ...message, toolCallId, toolName };
    }
    if (message.role !== "assistant" || message.toolCalls === undefined) return message;
    const calls = message.toolCalls.map((call) => ({ ...call, id: ids.of(call.id), name: nameOf(call) }));
    return { ...message, toolCalls: calls };
  });
}
