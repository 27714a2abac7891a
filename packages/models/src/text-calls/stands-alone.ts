/** How much of a model's text is read for calls, told from what it has done. */
import type { ModelMessage } from "@localharness/protocol";

/** `usual`: all of it. `alone`: only calls that stand by themselves. `none`: calls of the server alone count. */
export type TextReading = "usual" | "alone" | "none";

/**
 * A session in which a call came natively has a model that needs no text for its calls: what looks like one in its text is
 * mostly quoted. The transcript tells, so that it holds for a session that is gone on with as well.
 */
export function readingFor(messages: readonly ModelMessage[]): TextReading {
  return messages.some(hasNativeCall) ? "alone" : "usual";
}

function hasNativeCall(message: ModelMessage): boolean {
  if (message.role !== "assistant") return false;
  return message.toolCalls?.some(({ format }) => format === undefined) ?? false;
}
