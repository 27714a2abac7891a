/** Asks Ollama whether a model is loaded. If it is not, the next request waits until it is. */
import type { Http } from "../../http/http.ts";
import { listLoadedModels } from "./models.ts";

export interface AskedModel {
  readonly origin: string;
  readonly key?: string;
  readonly model: string;
}

/** Ollama unloads a model after 5 minutes without a request, unless a setting says otherwise. */
const askAgainMs = 4 * 60_000;
const limitMs = 2_000;

/**
 * Returns a function to call before each request. It resolves to true if the model is loaded, and to false if it is not. It
 * resolves to undefined if the last call was less than 4 minutes ago, because then it does not ask, or if the server gives no
 * list.
 */
export function createLoadedQuestion(
  http: Http,
  { origin, key, model }: AskedModel,
): () => Promise<boolean | undefined> {
  let requestedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const pauseMs = performance.now() - requestedAt;
    requestedAt = performance.now();
    if (pauseMs < askAgainMs) return undefined;
    const loaded = await listLoadedModels(http, origin, key, limitMs);
    if (!Array.isArray(loaded)) return undefined;
    return loaded.some(({ name }) => name === model || name === `${model}:latest`);
  };
}
