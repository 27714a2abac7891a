/** Passes `countTokens` through a wrapper of a model. */
import type { Model, ModelRequest } from "@localharness/engine";

/** Returns `countTokens` for a wrapper that applies `change` to each request; {} if the model cannot count tokens. */
export function countedBy(
  model: Model,
  change: (request: ModelRequest) => ModelRequest,
): Pick<Model, "countTokens"> {
  const { countTokens } = model;
  return countTokens === undefined
    ? {}
    : { countTokens: (request, signal) => countTokens.call(model, change(request), signal) };
}
