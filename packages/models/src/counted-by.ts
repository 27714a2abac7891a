/** Lets a wrapper of a model tell what the model itself can tell about its prompts. */
import type { Model, ModelRequest } from "@localharness/engine";

/** Returns `countTokens`, `contextWindow` and `holdsSeveral` of the model, for a wrapper that applies `change` to each request. */
export function countedBy(
  model: Model,
  change: (request: ModelRequest) => ModelRequest,
): Pick<Model, "countTokens" | "contextWindow" | "holdsSeveral"> {
  const { countTokens, contextWindow, holdsSeveral } = model;
  return {
    ...(countTokens === undefined
      ? {}
      : { countTokens: (request, signal) => countTokens.call(model, change(request), signal) }),
    ...(contextWindow === undefined ? {} : { contextWindow: (tokens) => contextWindow.call(model, tokens) }),
    ...(holdsSeveral === undefined ? {} : { holdsSeveral: () => holdsSeveral.call(model) }),
  };
}
