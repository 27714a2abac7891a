/** A model whose answers are written down beforehand. It implements the ordinary interface. */
import type { Model, ModelRequest } from "@localharness/engine";
import type { JsonObject, ModelEvent } from "@localharness/protocol";

/** One answer: its events, or a function for what depends on the request or on time. */
export type Step =
  | readonly ModelEvent[]
  | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>);

export interface ScriptedModel extends Model {
  /** What it was asked, oldest first. */
  readonly requests: readonly ModelRequest[];
}

/** Returns a model that answers with the steps in order; when they are used up, with "nothing left to say". */
export function scriptedModel(steps: readonly Step[], contextWindow?: number): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    name: "scripted",
    provider: "test",
    requests,
    contextWindow: () => Promise.resolve(contextWindow),
    stream(request, signal) {
      requests.push(request);
      const step = steps[requests.length - 1] ?? say("nothing left to say");
      return typeof step === "function" ? step(request, signal) : replay(step);
    },
  };
}

async function* replay(events: readonly ModelEvent[]): AsyncGenerator<ModelEvent> {
  yield* events;
}

/** Returns an answer of text alone, word by word. */
export function say(text: string): readonly ModelEvent[] {
  const words = text.split(/(?<= )/).filter((word) => word !== "");
  return [
    ...words.map((word): ModelEvent => ({ type: "text-delta", text: word })),
    { type: "model-end", stopReason: "stop" },
  ];
}

/** One call as `[tool, arguments]` or `[tool, arguments, id]`. */
export type Asked = readonly [name: string, args?: string | JsonObject, id?: string];

/** Returns an answer that calls tools; ids are left to the engine unless given. */
export function call(...asked: readonly Asked[]): readonly ModelEvent[] {
  return [...asked.flatMap(callEvents), { type: "model-end", stopReason: "tool-calls" }];
}

export function callEvents([name, args = {}, id = ""]: Asked, index = 0): readonly ModelEvent[] {
  return [
    { type: "tool-call-start", index, id, name },
    { type: "tool-call-end", index, id, name, arguments: args },
  ];
}
