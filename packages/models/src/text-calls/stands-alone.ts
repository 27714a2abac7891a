/** Decides from the transcript how much of a model's text is read for calls. */
import type { ModelMessage } from "@localharness/protocol";

/** `usual`: all text. `alone`: only calls that begin a line and have only calls after them. `none`: native calls only. */
export type TextReading = "usual" | "alone" | "none";

/**
 * Returns `alone` if the transcript has a native call. Such a model does not write calls as text, so text that looks like a
 * call is mostly quoted. Reads the transcript, so that this also holds for a resumed session.
 */
export function readingFor(messages: readonly ModelMessage[]): TextReading {
  return messages.some(hasNativeCall) ? "alone" : "usual";
}

function hasNativeCall(message: ModelMessage): boolean {
  if (message.role !== "assistant") return false;
  return message.toolCalls?.some(({ format }) => format === undefined) ?? false;
}
