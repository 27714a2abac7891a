/** Calls the model once: passes on its events as they come, and builds its answer from them. */
import { defined, type ModelEvent, type ToolCall } from "@localharness/protocol";
import { tooDeepMessage, unsoundPart } from "@localharness/schema";
import type { ModelRequest } from "../model.ts";
import { createCallCap, maxCallsInAnswer } from "./cap-calls.ts";
import { type CutShort, cutShort } from "./cut-short.ts";
import { followPhases } from "./follow-phases.ts";
import { readStream } from "./read-stream.ts";
import { brokeOffText, cannotReadText, endNotice, promptCutNotice } from "./texts.ts";
import type { Turn } from "./turn.ts";
import type { TurnEnd } from "./turn-end.ts";

export interface CompleteAnswer {
  readonly kind: "complete";
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** The reasons, for the model, why calls were not taken: unreadable, broken off, or beyond the limit. */
  readonly unreadable: readonly string[];
  /** Present if the answer may be incomplete. */
  readonly cut?: CutShort["code"];
}

export type AnswerOutcome =
  | CompleteAnswer
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly error: Partial<TurnEnd> };

/**
 * Sends one request and emits the events of the answer. Resolves to the complete answer, or to an `AnswerOutcome` that says that
 * the request failed or was interrupted.
 */
export async function askModel(turn: Turn): Promise<AnswerOutcome> {
  const unreadable: string[] = [];
  const rename = createRenamer(turn);
  const maxCalls = Math.max(maxCallsInAnswer, turn.limits.callsPerIteration);
  let cap = createCallCap(maxCalls);
  const tools = turn.tools();
  const format = tools.length === 0 && turn.answer !== undefined ? { format: turn.answer.schema } : {};
  turn.promptWindow.sending();
  // The messages are copied, because the request must not grow while the model works on it.
  const messages = [...turn.messages()];
  const phases = followPhases(turn);
  const request: ModelRequest = {
    messages,
    tools,
    ...format,
    ...keeping(maxCalls),
    onPhase: (phase) => phases.enter(phase),
  };

  const take = (event: ModelEvent) => {
    phases.take(event);
    if (event.type === "tool-call-error") unreadable.push(event.message);
    if (event.type === "answer-restart") {
      unreadable.length = 0;
      cap = createCallCap(maxCalls);
    }
    const cut = turn.promptWindow.learn(event);
    turn.emit(turn.promptWindow.withWindow(event));
    if (cut !== undefined) turn.notice("warning", "prompt-cut", promptCutNotice(cut));
  };

  const end = await readStream(turn.model(), request, turn.signal, (raw) => {
    if (cap.admits(raw)) take(rename(raw));
  });
  phases.end();
  const rest = end.type === "model-end" ? cap.rest() : undefined;
  if (rest !== undefined) take(rest);
  const { text, toolCalls, opening } = turn.draft();
  turn.emit(end);
  if (end.type === "model-end") {
    const cut = cutShort(end);
    if (cut !== undefined) turn.notice("warning", cut.code, cut.message);
    else if (end.reason === "") turn.notice("info", "end-unsaid", endNotice(undefined));
    for (const name of Object.values(opening)) unreadable.push(brokeOffText(name, end.stopReason));
    return { kind: "complete", text, toolCalls, unreadable, ...defined({ cut: cut?.code }) };
  }
  if (end.code === "aborted" || turn.signal.aborted) return { kind: "interrupted" };
  return { kind: "failed", error: { code: end.code, message: end.message, retryable: end.retryable } };
}

function keeping(maxCalls: number): Pick<ModelRequest, "maxCalls"> {
  return maxCalls === maxCallsInAnswer ? {} : { maxCalls };
}

/** Returns an error event for a call whose arguments are an object that is nested too deeply; any other event unchanged. */
function readable(event: ModelEvent): ModelEvent {
  if (event.type !== "tool-call-end" || typeof event.arguments === "string") return event;
  if (unsoundPart(event.arguments) !== tooDeepMessage) return event;
  const { index, name } = event;
  const message = cannotReadText(name, tooDeepMessage);
  return { type: "tool-call-error", index, name, raw: `${name}({…})`, reason: "too-deep", message };
}

/**
 * Returns a function that returns each event with an id of its call that is unique in the session, because some servers
 * reuse ids in each answer. It returns an error event for a call that is nested too deeply.
 */
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
    if (event.type === "answer-restart") ids.clear();
    if (event.type !== "tool-call-start" && event.type !== "tool-call-end") return event;
    const id = idOf(event.index, event.id);
    if (event.type === "tool-call-end") ids.delete(event.index);
    return id === event.id ? event : { ...event, id };
  };
}
