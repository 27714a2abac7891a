/** Asks Ollama whether it will load the model for the next request. */
import type { Http } from "../http/http.ts";
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
 * Returns a function that asks before the first request, and before a request after a long pause. It resolves to undefined if the
 * server was not asked or does not tell.
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
