/** For a model that sees no images: those of a conversation that others have seen are left out of its requests. */
import type { Model } from "@localharness/engine";
import type { ModelMessage } from "@localharness/protocol";

export function withoutImages(model: Model): Model {
  return {
    name: model.name,
    provider: model.provider,
    stream: (request, signal) =>
      model.stream({ ...request, messages: request.messages.map(withoutItsImages) }, signal),
  };
}

/** The text of the message names them still. */
function withoutItsImages(message: ModelMessage): ModelMessage {
  if (message.role !== "user" || message.images === undefined) return message;
  const { images: _unseen, ...rest } = message;
  return rest;
}
