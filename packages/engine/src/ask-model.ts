/** One model call: its events are passed on as they come, and what they amount to is its answer. */
import type { ModelEvent, ToolCall } from "@localharness/protocol";
import type { TurnEnd } from "./agent-loop.ts";
import type { Turn } from "./turn.ts";

export type Answer =
  | {
      readonly kind: "complete";
      readonly text: string;
      readonly toolCalls: readonly ToolCall[];
      /** What to tell the model about calls that cannot be read. */
      readonly unreadable: readonly string[];
    }
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly error: Partial<TurnEnd> };

type LastEvent = Extract<ModelEvent, { type: "model-end" | "model-error" }>;

export async function askModel(turn: Turn): Promise<Answer> {
  let last: LastEvent | undefined;
  const unreadable: string[] = [];
  const rename = createRenamer(turn);

  for await (const raw of safely(turn)) {
    const event = rename(raw);
    if (event.type === "tool-call-error") unreadable.push(event.message);
    if (event.type === "model-end" || event.type === "model-error") last = event;
    else turn.emit(event);
    if (last !== undefined) break;
  }
  const end = last ?? endedEarly(turn.signal);
  const { text, toolCalls } = turn.draft();
  turn.emit(end);
  if (end.type === "model-end") {
    if (end.stopReason === "length") {
      turn.notice(
        "warning",
        "cut-at-limit",
        "The answer was cut at the model's output limit; raise num_predict to get it whole.",
      );
    }
    return { kind: "complete", text, toolCalls, unreadable };
  }
  if (end.code === "aborted" || turn.signal.aborted) return { kind: "interrupted" };
  return { kind: "failed", error: { code: end.code, message: end.message, retryable: end.retryable } };
}

/** The model's stream; an exception, which no model should throw, becomes its error event. */
async function* safely(turn: Turn): AsyncGenerator<ModelEvent> {
  try {
    yield* turn.model.stream({ messages: turn.messages(), tools: turn.tools() }, turn.signal);
  } catch (error) {
    const message = `the model's adapter failed: ${error instanceof Error ? error.message : String(error)}`;
    yield {
      type: "model-error",
      code: turn.signal.aborted ? "aborted" : "bad-response",
      message,
      retryable: false,
    };
  }
}

function endedEarly(signal: AbortSignal): LastEvent {
  if (signal.aborted)
    return { type: "model-error", code: "aborted", message: "interrupted", retryable: false };
  return {
    type: "model-error",
    code: "bad-response",
    message: "the model's stream ended without an end: the answer may be cut",
    retryable: true,
  };
}

/** Ids are unique in a session: servers that count them anew in each answer would mix up results. */
function createRenamer(turn: Turn): (event: ModelEvent) => ModelEvent {
  const ids = new Map<number, string>();
  const idOf = (index: number, wanted: string): string => {
    const known = ids.get(index);
    if (known !== undefined) return known;
    const id = turn.freshCallId(wanted);
    ids.set(index, id);
    return id;
  };
  return (event) => {
    if (event.type !== "tool-call-start" && event.type !== "tool-call-end") return event;
    const id = idOf(event.index, event.id);
    if (event.type === "tool-call-end") ids.delete(event.index);
    return id === event.id ? event : { ...event, id };
  };
}
