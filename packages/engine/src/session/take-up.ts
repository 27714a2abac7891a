/** Closes the calls and turns that a stored session left open when its program ended, so that the session can be resumed. */
import {
  type EventBody,
  emptyView,
  foldEvents,
  type SessionEvent,
  type ToolCall,
  type View,
} from "@localharness/protocol";
import { type Clock, systemClock } from "../clock.ts";
import { displayText, refusal } from "../tool-result.ts";

/** Returns the events, with added events that close the open calls and turns; the same array if nothing is open. */
export function closeHistory(history: readonly SessionEvent[]): readonly SessionEvent[] {
  if (endsClosed(history)) return history;
  const view = foldEvents(emptyView, history);
  const closing = closingEvents(view, systemClock).map((body, index) => ({
    sessionId: view.sessionId,
    turnId: view.turn.id,
    seq: view.lastSeq + 1 + index,
    ...body,
  }));
  return closing.length === 0 ? history : [...history, ...closing];
}

/** Returns true if the last turn has ended. Does not fold the events, because that takes too much time in a long session. */
function endsClosed(history: readonly SessionEvent[]): boolean {
  const last = history.findLast(({ turnId }) => turnId !== "");
  return last === undefined || last.type === "turn-end";
}

const ended = "the program ended";

/** Returns events that close open questions, end the unfinished answer, give each open call a result, and end the turn. */
export function closingEvents(view: View, clock: Clock): readonly EventBody[] {
  const bodies: EventBody[] = [];
  const { draft, permission, question } = view;
  if (question !== undefined) {
    const { questionId } = question;
    bodies.push({ type: "server-question-answer", questionId, action: "cancel", by: "nobody" });
  }
  if (permission !== undefined) {
    const { requestId } = permission;
    bodies.push({ type: "permission-answer", requestId, answer: "deny", by: "nobody" });
  }
  const unfinished = draft.text + draft.reasoning !== "" || draft.toolCalls.length > 0;
  if (unfinished || Object.keys(draft.opening).length > 0) {
    bodies.push({ type: "model-error", code: "aborted", message: ended, retryable: true });
  }
  const calls = draft.toolCalls.length > 0 ? draft.toolCalls : openCalls(view);
  for (const call of calls) bodies.push(closingResult(call, view, clock));
  if (view.executor !== "idle" && view.turn.running) bodies.push({ type: "executor-state", state: "idle" });
  if (view.turn.running) {
    const message = `${ended} before the turn did`;
    bodies.push({ type: "turn-end", reason: "interrupted", code: "program-ended", message, denied: 0 });
  }
  return bodies;
}

/** Returns the calls of the last assistant message that have no result, in order. */
function openCalls({ messages }: View): readonly ToolCall[] {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const message = messages[at];
  if (message?.role !== "assistant") return [];
  const answered = new Set<string>();
  for (const one of messages.slice(at + 1)) if (one.role === "tool") answered.add(one.toolCallId);
  return (message.toolCalls ?? []).filter(({ id }) => !answered.has(id));
}

function closingResult({ id, name }: ToolCall, view: View, clock: Clock): EventBody {
  // If the turn ended with an open call, it is unknown if the call ran. The engine itself leaves no call open.
  const begun = !view.turn.running || view.running.some(({ callId }) => callId === id);
  const message = begun
    ? `interrupted when ${ended}: it may have been done in part or in full. Look before you do it again.`
    : `not run: ${ended} before it began`;
  const result = refusal("cancelled", message, clock);
  return { type: "tool-result", callId: id, toolName: name, result, display: displayText(name, result) };
}

/** Returns the number of the last turn, so that `turn-3` is followed by `turn-4`; 0 when there was none. */
export function highestTurn(history: readonly SessionEvent[]): number {
  let highest = 0;
  for (const { turnId } of history) {
    const number = Number(/^turn-(\d{1,9})$/.exec(turnId)?.[1] ?? 0);
    if (number > highest) highest = number;
  }
  return highest;
}
