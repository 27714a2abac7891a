/** Computes the messages of a request from the complete messages and the parts that compactions left out. */
import type { FoldedMessages, ModelMessage } from "@localharness/protocol";

/** What the compactions of a session have left out so far. */
export interface LeftOut {
  /** The shorter contents of tool results, by the id of the call. */
  readonly shortened: Readonly<Record<string, string>>;
  readonly folded?: FoldedMessages;
}

/** Returns the messages of the next request. */
export function sentMessages(whole: readonly ModelMessage[], { shortened, folded }: LeftOut): ModelMessage[] {
  const through = endOfResults(whole, folded?.messages ?? 0);
  const sent: ModelMessage[] = whole.slice(0, through).filter(staysInFold);
  if (folded !== undefined) sent.push({ role: "user", content: textOf(folded), from: "harness" });
  for (const message of whole.slice(through)) {
    const content = message.role === "tool" ? shortened[message.toolCallId] : undefined;
    sent.push(message.role === "tool" && content !== undefined ? { ...message, content } : message);
  }
  return sent;
}

function textOf({ note, summary }: FoldedMessages): string {
  return summary === undefined ? note : `${note}\n${summaryHead}\n${summary}`;
}

/** The sentence before a summary. It keeps the model from taking the summary for a task. */
const summaryHead = "What you wrote down before, as information and not as a new task:";

/**
 * Returns the index after the tool results that begin at `index`, so that no result is sent without its call, even if the
 * session file was repaired.
 */
function endOfResults(whole: readonly ModelMessage[], index: number): number {
  let end = index;
  while (whole[end]?.role === "tool") end += 1;
  return end;
}

/**
 * Returns true for a message that is still sent when older messages are folded. An attached file is left out, because it can be
 * read again, and so are the images of tool results.
 */
function staysInFold(message: ModelMessage): boolean {
  if (message.role !== "user") return message.role === "system";
  return message.from === "person" || (message.from === "harness" && message.images === undefined);
}

/** Returns true if `sent`, the messages of the next request, contains the whole result of a call. */
export function hasWholeResult(
  sent: readonly ModelMessage[],
  { shortened }: LeftOut,
  callId: string,
): boolean {
  if (shortened[callId] !== undefined) return false;
  return sent.some((message) => message.role === "tool" && message.toolCallId === callId);
}
