/** Counting the tokens of a request through what stands around a model. */
import type { Model, ModelRequest } from "@localharness/engine";

/** `countTokens` of a model whose requests are changed before they are sent; nothing where it counts none. */
export function countedBy(
  model: Model,
  change: (request: ModelRequest) => ModelRequest,
): Pick<Model, "countTokens"> {
  const { countTokens } = model;
  return countTokens === undefined
    ? {}
    : { countTokens: (request, signal) => countTokens.call(model, change(request), signal) };
}
