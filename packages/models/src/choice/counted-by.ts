/** Passes the optional properties of a model through a wrapper: token counts, context window, limits and speeds. */
import type { Model, ModelRequest } from "@localharness/engine";
import { defined } from "@localharness/protocol";

/** Returns the optional properties of the model, for a wrapper that applies `change` to each request. */
export function countedBy(
  model: Model,
  change: (request: ModelRequest) => ModelRequest,
): Pick<Model, "countTokens" | "contextWindow" | "holdsSeveral" | "nudgesPerTurn" | "readsPerSecond"> {
  const { countTokens, contextWindow, holdsSeveral, nudgesPerTurn, readsPerSecond } = model;
  return {
    ...defined({ nudgesPerTurn, readsPerSecond }),
    ...(countTokens === undefined
      ? {}
      : { countTokens: (request, signal) => countTokens.call(model, change(request), signal) }),
    ...(contextWindow === undefined ? {} : { contextWindow: (tokens) => contextWindow.call(model, tokens) }),
    ...(holdsSeveral === undefined ? {} : { holdsSeveral: () => holdsSeveral.call(model) }),
  };
}
