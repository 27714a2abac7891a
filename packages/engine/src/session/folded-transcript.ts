/** Builds a transcript from events, for a session or an agent: numbers the events and folds them into a view. */
import {
  applyEvent,
  defined,
  type EventBody,
  emptyView,
  foldEvents,
  type Message,
  type ModelMessage,
  type SessionEvent,
  type ToolCall,
  type View,
} from "@localharness/protocol";
import type { DeliveredResult } from "../calls/call-in-work.ts";
import { displayText } from "../tool-result.ts";
import { createPromptWindow, type WindowRules } from "../turn/prompt-window.ts";
import { createReadingPace } from "../turn/reading-pace.ts";
import type { Turn } from "../turn/turn.ts";
import type { LeftOut } from "./sent-messages.ts";
import { createTranscript } from "./transcript.ts";

export interface FoldedTranscript {
  /** Returns the view of the events so far. */
  view(): View;
  /** Returns the complete messages for the model. */
  messages(): readonly ModelMessage[];
  /** Returns the messages of the next request: the complete messages, without the parts that compactions left out. */
  sentMessages(): readonly ModelMessage[];
  /** Returns what compactions have left out so far. */
  leftOut(): LeftOut;
  /** Returns the calls of the last assistant message that have no result yet. */
  openCalls(): readonly ToolCall[];
  /**
   * Adds the next event, with its message if it has one, and returns the numbered event. Throws `transcript-invalid`, and adds
   * nothing, if such a message must not come next.
   */
  add(turnId: string, body: EventBody): SessionEvent;
}

/**
 * Returns the transcript of a session, which begins with the events of `history`. Throws `transcript-invalid` if their
 * messages are not a valid transcript.
 */
export function createFoldedTranscript(
  sessionId: string,
  history: readonly SessionEvent[] = [],
): FoldedTranscript {
  const transcript = createTranscript();
  let view: View = emptyView;

  function moveTo(next: View): void {
    appendFrom(view.messages.length, next.messages);
    const isCompacted = next.shortened !== view.shortened;
    view = next;
    if (isCompacted) transcript.leaveOut(leftOut());
  }

  /** Appends the new messages without copying the list, because a long session would copy it for each event. */
  function appendFrom(start: number, messages: readonly Message[]): void {
    for (let index = start; index < messages.length; index += 1) {
      const message = messages[index];
      if (message !== undefined) transcript.append(message);
    }
  }

  function leftOut(): LeftOut {
    return { shortened: view.shortened ?? {}, ...defined({ folded: view.folded }) };
  }

  moveTo(foldEvents(emptyView, history));
  return {
    view: () => view,
    messages: () => transcript.modelMessages,
    sentMessages: () => transcript.sentMessages,
    leftOut,
    openCalls: () => transcript.openCalls,
    add(turnId, body) {
      const event: SessionEvent = { sessionId, turnId, seq: view.lastSeq + 1, ...body };
      moveTo(applyEvent(view, event));
      return event;
    },
  };
}

/** The functions through which a turn of a session or an agent uses the transcript. */
export type TranscriptOfTurn = Pick<
  Turn,
  "emit" | "draft" | "messages" | "promptWindow" | "pace" | "openCalls" | "tellModel" | "notice"
>;

/** Returns the functions for a transcript. `emit` must add an event to it and pass the event on. */
export function transcriptOfTurn(
  transcript: FoldedTranscript,
  emit: (body: EventBody) => void,
  rules: WindowRules,
): TranscriptOfTurn {
  return {
    emit,
    draft: () => transcript.view().draft,
    messages: () => transcript.sentMessages(),
    promptWindow: createPromptWindow(rules, transcript),
    pace: createReadingPace(),
    openCalls: () => transcript.openCalls(),
    tellModel: (content, images) =>
      emit({ type: "user-message", content, from: "harness", ...defined({ images }) }),
    notice: (level, code, message) => emit({ type: "notice", level, code, message }),
  };
}

/** Returns a function that emits the result of a call, with its display message. */
export function deliverTo(emit: (body: EventBody) => void): (result: DeliveredResult) => void {
  return ({ id, toolName, result, achieved, why, diff }) =>
    emit({
      type: "tool-result",
      callId: id,
      toolName,
      result,
      display: displayText(toolName, result, why),
      ...(achieved.length === 0 ? {} : { achieved }),
      ...defined({ why, diff }),
    });
}
