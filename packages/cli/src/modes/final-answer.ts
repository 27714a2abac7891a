/** What a conversation has come to: the last words of the model that no tool call follows. */
import type { View } from "@localharness/protocol";

/** `""` when the model has not answered the last message yet, or only with calls. */
export function finalAnswer(view: Pick<View, "messages">): string {
  const last = view.messages.findLast(
    (message) => message.role !== "display" && !(message.role === "user" && message.from === "harness"),
  );
  if (last?.role !== "assistant" || (last.toolCalls?.length ?? 0) > 0) return "";
  return last.content;
}
