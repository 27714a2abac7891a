/** The answer that a model is giving right now, folded from its events until it becomes a message. */
import type { ModelEvent } from "./event.ts";
import type { AssistantMessage, ToolCall } from "./message.ts";

export interface Draft {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  /** Names of calls whose arguments are still coming, by index; of the first 1,000 of them. */
  readonly opening: Readonly<Record<number, string>>;
}

export const emptyDraft: Draft = { text: "", reasoning: "", toolCalls: [], opening: {} };

/** Each event copies what is open; no answer that an engine let pass has as many calls. */
const mostOpening = 1_000;

/** The draft after one event; the same object when the event does not touch it. */
export function growDraft(draft: Draft, event: ModelEvent): Draft {
  switch (event.type) {
    case "text-delta":
      return { ...draft, text: draft.text + event.text };
    case "reasoning-delta":
      return { ...draft, reasoning: draft.reasoning + event.text };
    case "tool-call-start":
      return { ...draft, opening: withCall(draft.opening, event.index, event.name) };
    case "tool-call-end": {
      const { id, name, arguments: args, format } = event;
      const call: ToolCall = { id, name, arguments: args, ...(format === undefined ? {} : { format }) };
      return {
        ...draft,
        toolCalls: [...draft.toolCalls, call],
        opening: without(draft.opening, event.index),
      };
    }
    case "tool-call-error":
      // What the model wrote stays in its message: it has to see it to correct it.
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

/** The message that a draft has become, or undefined when the model said nothing at all. */
export function draftMessage(draft: Draft, partial?: "interrupted" | "error"): AssistantMessage | undefined {
  if (draft.text === "" && draft.reasoning === "" && draft.toolCalls.length === 0) return undefined;
  return {
    role: "assistant",
    content: draft.text,
    ...(draft.reasoning === "" ? {} : { reasoning: draft.reasoning }),
    ...(draft.toolCalls.length === 0 ? {} : { toolCalls: draft.toolCalls }),
    ...(partial === undefined ? {} : { partial }),
  };
}

type Opening = Draft["opening"];

function withCall(opening: Opening, index: number, name: string): Opening {
  return Object.keys(opening).length < mostOpening ? { ...opening, [index]: name } : opening;
}

function without(opening: Opening, index: number): Opening {
  if (!(index in opening)) return opening;
  const { [index]: _gone, ...rest } = opening;
  return rest;
}
