/** Gives the index the embedding model of the settings. */
import type { Embedder } from "@localharness/graph";
import type { ConfigValues } from "../config/fields.ts";
import { readKeys } from "../config/keys.ts";
import type { ModelQueues } from "../models/model-queues.ts";

/** The address of the embedding server if neither `embedding_url` nor `OLLAMA_HOST` is set. */
const usualUrl = "http://127.0.0.1:11434";

/** Returns the embedding model; undefined without the setting `embedding_model`. `environment` has the server's API key. */
export async function embedderOf(
  values: Pick<ConfigValues, "embedding_model" | "embedding_url">,
  folder: string | undefined,
  queues: ModelQueues,
  environment: NodeJS.ProcessEnv,
): Promise<Embedder | undefined> {
  const { embedding_model: model, embedding_url: url } = values;
  if (model === undefined) return undefined;
  const { createEmbeddingModel, ollamaOrigin } = await import("@localharness/models");
  const baseUrl = url ?? ollamaOrigin(environment["OLLAMA_HOST"]) ?? usualUrl;
  const [keys, queue] = await Promise.all([readKeys(folder), queues.queueOf("ollama", baseUrl)]);
  return createEmbeddingModel({ model, baseUrl, environment, keys, queue });
}
