/** For a model that sees no images: those of a conversation that others have seen are left out of its requests. */
import type { Model, ModelRequest } from "@localharness/engine";
import type { ModelMessage } from "@localharness/protocol";
import { countedBy } from "./counted-by.ts";

export function withoutImages(model: Model): Model {
  const seen = (request: ModelRequest) => ({ ...request, messages: request.messages.map(withoutItsImages) });
  return {
    name: model.name,
    provider: model.provider,
    stream: (request, signal) => model.stream(seen(request), signal),
    ...countedBy(model, seen),
  };
}

/** The text of the message names them still. */
function withoutItsImages(message: ModelMessage): ModelMessage {
  if (message.role !== "user" || message.images === undefined) return message;
  const { images: _unseen, ...rest } = message;
  return rest;
}
