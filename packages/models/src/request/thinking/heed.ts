/** Wraps a model so that words in the prompt stop its thoughts where no field does, and so that an ignored setting is told. */
import type { Model, ModelRequest } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import { relay } from "../../answer/event-relay.ts";
import { countedBy } from "../../choice/counted-by.ts";
import type { ThinkingControl } from "./control.ts";

/** `title` names the server in notices. */
export function heedThinking(model: Model, thinking: ThinkingControl, title: string): Model {
  const changed = (request: ModelRequest): ModelRequest => {
    const messages = thinking.messages(request.messages);
    return messages === request.messages ? request : { ...request, messages };
  };
  return {
    name: model.name,
    provider: model.provider,
    stream(request, signal) {
      let hasThought = false;
      return relay(model.stream(changed(request), signal), (event) => {
        if (event.type === "reasoning-delta" && event.text.trim() !== "") hasThought = true;
        const notice = event.type === "model-end" && hasThought ? thinking.thought() : undefined;
        return notice === undefined ? [event] : [noticeEvent(`${title} ${notice}.`), event];
      });
    },
    ...countedBy(model, changed),
  };
}

/** Returns an event that tells the person something without a new try. */
export function noticeEvent(message: string): ModelEvent {
  return { type: "model-retry", attempt: 1, waitMs: 0, message };
}
