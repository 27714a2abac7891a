/** Decides from the transcript how much of a model's text is read for calls. */
import type { ModelMessage } from "@localharness/protocol";

/**
 * `usual` reads all text. `alone` reads only calls that begin a line and have only calls after them. `none` reads no
 * text, so that only native calls count.
 */
export type TextReading = "usual" | "alone" | "none";

/**
 * Returns `alone` if the transcript has a native call, otherwise `usual`. A model that makes native calls does not
 * write calls as text, so text that looks like a call is mostly quoted. The transcript is read, so that this also holds
 * for a resumed session.
 */
export function readingFor(messages: readonly ModelMessage[]): TextReading {
  return messages.some(hasNativeCall) ? "alone" : "usual";
}

function hasNativeCall(message: ModelMessage): boolean {
  if (message.role !== "assistant") return false;
  return message.toolCalls?.some(({ format }) => format === undefined) ?? false;
}
