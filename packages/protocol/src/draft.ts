/** Folds the events of an answer that the model is still writing into a draft, and turns the draft into a message. */
import { defined } from "./defined.ts";
import type { AnswerOrigin, AssistantMessage, ToolCall } from "./message.ts";
import type { ModelEvent } from "./model-event.ts";

export interface Draft {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  /** Names of the calls whose arguments are still arriving, by the call's index; at most 1,000. */
  readonly opening: Readonly<Record<number, string>>;
}

export const emptyDraft: Draft = { text: "", reasoning: "", toolCalls: [], opening: {} };

/**
 * The maximum number of entries in `opening`, because each event copies them. The engine accepts far fewer calls in one
 * answer.
 */
const maxOpeningCalls = 1_000;

/** Returns the draft after one event; the same object when the event does not change it. */
export function growDraft(draft: Draft, event: ModelEvent): Draft {
  switch (event.type) {
    case "text-delta":
      return { ...draft, text: draft.text + event.text };
    case "reasoning-delta":
      return { ...draft, reasoning: draft.reasoning + event.text };
    case "answer-restart":
      return emptyDraft;
    case "tool-call-start":
      return { ...draft, opening: withCall(draft.opening, event.index, event.name) };
    case "tool-call-end": {
      const { id, name, arguments: args, format, fields } = event;
      const call: ToolCall = { id, name, arguments: args, ...defined({ format, fields }) };
      return {
        ...draft,
        toolCalls: [...draft.toolCalls, call],
        opening: without(draft.opening, event.index),
      };
    }
    case "tool-call-error":
      // The text of the unreadable call stays in the message, because the model has to see it to correct it.
      return { ...draft, text: draft.text + event.raw, opening: without(draft.opening, event.index) };
    case "tool-call-withdrawn": {
      const opening = without(draft.opening, event.index);
      return opening === draft.opening ? draft : { ...draft, opening };
    }
    case "tool-call-delta":
    case "usage":
    case "prompt-progress":
    case "model-retry":
    case "model-end":
    case "model-error":
      return draft;
  }
}

/** Returns the finished draft as a message; undefined when the draft is empty. */
export function draftMessage(
  draft: Draft,
  partial?: "interrupted" | "error",
  origin?: AnswerOrigin,
): AssistantMessage | undefined {
  if (draft.text === "" && draft.reasoning === "" && draft.toolCalls.length === 0) return undefined;
  return {
    role: "assistant",
    content: draft.text,
    ...(draft.reasoning === "" ? {} : { reasoning: draft.reasoning }),
    ...(draft.toolCalls.length === 0 ? {} : { toolCalls: draft.toolCalls }),
    ...defined({ partial, origin }),
  };
}

type Opening = Draft["opening"];

function withCall(opening: Opening, index: number, name: string): Opening {
  return Object.keys(opening).length < maxOpeningCalls ? { ...opening, [index]: name } : opening;
}

function without(opening: Opening, index: number): Opening {
  if (!(index in opening)) return opening;
  const { [index]: _gone, ...rest } = opening;
  return rest;
}
