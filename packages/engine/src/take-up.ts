/** What an earlier session left open when its program ended is closed, so that its conversation can go on. */
import {
  type EventBody,
  emptyView,
  foldEvents,
  type SessionEvent,
  type ToolCall,
  type View,
} from "@localharness/protocol";
import { type Clock, systemClock } from "./clock.ts";
import { displayText, refusal } from "./tool-result.ts";

/** The events, and behind them those that close what they leave open; the same array when nothing is open. */
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

/** What happens between turns leaves nothing open. To fold a long session only to see that would cost as much again. */
function endsClosed(history: readonly SessionEvent[]): boolean {
  const last = history.findLast(({ turnId }) => turnId !== "");
  return last === undefined || last.type === "turn-end";
}

const ended = "the program ended";

/** Answers the open question, ends the answer that was coming, gives each call its one result, ends the turn. */
export function closingEvents(view: View, clock: Clock): readonly EventBody[] {
  const bodies: EventBody[] = [];
  const { draft, permission } = view;
  if (permission !== undefined) {
    const { requestId } = permission;
    bodies.push({ type: "permission-answer", requestId, answer: "deny", by: "nobody" });
  }
  const coming = draft.text + draft.reasoning !== "" || draft.toolCalls.length > 0;
  if (coming || Object.keys(draft.opening).length > 0)
    bodies.push({ type: "model-error", code: "aborted", message: ended, retryable: true });
  const calls = draft.toolCalls.length > 0 ? draft.toolCalls : openCalls(view);
  for (const call of calls) bodies.push(closingResult(call, view, clock));
  if (view.executor !== "idle" && view.turn.running) bodies.push({ type: "executor-state", state: "idle" });
  if (view.turn.running) {
    const message = `${ended} before the turn did`;
    bodies.push({ type: "turn-end", reason: "interrupted", code: "program-ended", message, denied: 0 });
  }
  return bodies;
}

/** Calls of the last assistant message without a result, in order. */
function openCalls({ messages }: View): readonly ToolCall[] {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const message = messages[at];
  if (message?.role !== "assistant") return [];
  const answered = new Set<string>();
  for (const one of messages.slice(at + 1)) if (one.role === "tool") answered.add(one.toolCallId);
  return (message.toolCalls ?? []).filter(({ id }) => !answered.has(id));
}

function closingResult({ id, name }: ToolCall, view: View, clock: Clock): EventBody {
  // Of a call that its turn has left open nobody knows: the engine itself leaves none.
  const begun = !view.turn.running || view.running.some(({ callId }) => callId === id);
  const message = begun
    ? `interrupted when ${ended}: it may have been done in part or in full. Look before you do it again.`
    : `not run: ${ended} before it began`;
  const result = refusal("cancelled", message, clock);
  return { type: "tool-result", callId: id, toolName: name, result, display: displayText(name, result) };
}

/** Turns are counted on: `turn-3` is followed by `turn-4`. */
export function highestTurn(history: readonly SessionEvent[]): number {
  let highest = 0;
  for (const { turnId } of history) {
    const number = Number(/^turn-(\d{1,9})$/.exec(turnId)?.[1] ?? 0);
    if (number > highest) highest = number;
  }
  return highest;
}
