/** One model call: its events are passed on as they come, and what they amount to is its answer. */
import type { AnswerCut, ModelEvent, StopReason, ToolCall } from "@localharness/protocol";
import type { TurnEnd } from "./agent-loop.ts";
import { isTooDeep, tooDeepMessage } from "./arguments/read.ts";
import { createCallCap, mostCallsInAnswer } from "./cap-calls.ts";
import type { ModelRequest } from "./model.ts";
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
  const unreadable: string[] = [];
  const rename = createRenamer(turn);
  const cap = createCallCap(Math.max(mostCallsInAnswer, turn.limits.callsPerIteration));
  // A copy: what a model was asked does not grow under its hands.
  const tools = turn.tools();
  const format = tools.length === 0 && turn.answer !== undefined ? { format: turn.answer.schema } : {};
  const request: ModelRequest = { messages: [...turn.messages()], tools, ...format };

  const take = (event: ModelEvent) => {
    if (event.type === "tool-call-error") unreadable.push(event.message);
    turn.emit(event);
  };

  const end = await readStream(turn, request, (raw) => {
    if (cap.admits(raw)) take(rename(raw));
  });
  const rest = end.type === "model-end" ? cap.rest() : undefined;
  if (rest !== undefined) take(rest);
  const { text, toolCalls, opening } = turn.draft();
  turn.emit(end);
  if (end.type === "model-end") {
    if (end.stopReason === "length") turn.notice("warning", "cut-at-limit", cutMessage(end.cut));
    for (const name of Object.values(opening)) unreadable.push(brokeOff(name, end.stopReason));
    return { kind: "complete", text, toolCalls, unreadable };
  }
  if (end.code === "aborted" || turn.signal.aborted) return { kind: "interrupted" };
  return { kind: "failed", error: { code: end.code, message: end.message, retryable: end.retryable } };
}

const interrupted: LastEvent = {
  type: "model-error",
  code: "aborted",
  message: "interrupted",
  retryable: false,
};

const endedEarly: LastEvent = {
  type: "model-error",
  code: "bad-response",
  message: "the model's stream ended without an end: the answer may be cut",
  retryable: true,
};

/** Hands on every event but the last, which it returns. An interrupt ends it at once, whatever the model does. */
async function readStream(
  turn: Turn,
  request: ModelRequest,
  take: (event: ModelEvent) => void,
): Promise<LastEvent> {
  const { signal } = turn;
  if (signal.aborted) return interrupted;
  const interruption = createInterruption(signal);
  try {
    const events = turn.model().stream(request, signal)[Symbol.asyncIterator]();
    try {
      while (!signal.aborted) {
        const next = await interruption.orResultOf(events.next());
        if (next === undefined) break;
        if (next.done) return endedEarly;
        if (next.value.type === "model-end" || next.value.type === "model-error") return next.value;
        take(next.value);
      }
      return interrupted;
    } finally {
      // Not awaited: a stream that hangs must not hold the turn.
      Promise.resolve(events.return?.()).catch(() => undefined);
    }
  } catch (error) {
    // No model should throw; what one throws all the same is its error event.
    if (signal.aborted) return interrupted;
    const message = `the model's adapter failed: ${error instanceof Error ? error.message : String(error)}`;
    return { type: "model-error", code: "bad-response", message, retryable: false };
  } finally {
    interruption.stop();
  }
}

interface Interruption {
  /** The promise's result, or undefined as soon as the signal aborts. One at a time. */
  orResultOf<T>(promise: Promise<T>): Promise<T | undefined>;
  stop(): void;
}

/** One listener for a whole stream: racing every event against the same promise would pile up reactions on it. */
function createInterruption(signal: AbortSignal): Interruption {
  let wake: ((nothing: undefined) => void) | undefined;
  const onAbort = () => wake?.(undefined);
  signal.addEventListener("abort", onAbort, { once: true });
  return {
    orResultOf: (promise) =>
      new Promise((resolve, reject) => {
        wake = resolve;
        promise.then(resolve, reject);
      }),
    stop: () => signal.removeEventListener("abort", onAbort),
  };
}

function cutMessage(cut: AnswerCut | undefined): string {
  if (cut === undefined)
    return "The answer was cut: it met the model's output limit, or its window was full. Raise num_predict to get it whole, or start a new session.";
  const where =
    cut.at === "window"
      ? "The window filled while the model wrote, and the answer was cut there."
      : "The answer was cut at the model's output limit.";
  return `${where} ${cut.advice}`;
}

function brokeOff(name: string, stopReason: StopReason): string {
  return stopReason === "length"
    ? `the call of ${name} was cut off at the output limit before it was complete. Write less in one call, in several steps.`
    : `the call of ${name} broke off before it was complete. Write it again.`;
}

/** Arguments too deep to be written as JSON would break whatever writes events down: such a call cannot be read. */
function readable(event: ModelEvent): ModelEvent {
  if (event.type !== "tool-call-end" || typeof event.arguments === "string") return event;
  if (!isTooDeep(event.arguments)) return event;
  const { index, name } = event;
  const message = `the call of ${name} cannot be read: ${tooDeepMessage}.`;
  return { type: "tool-call-error", index, name, raw: `${name}({…})`, reason: "too-deep", message };
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
  return (raw) => {
    const event = readable(raw);
    if (event.type !== "tool-call-start" && event.type !== "tool-call-end") return event;
    const id = idOf(event.index, event.id);
    if (event.type === "tool-call-end") ids.delete(event.index);
    return id === event.id ? event : { ...event, id };
  };
}
