/** Chooses the context window of a trial on Ollama, so that the server does not load the model again with another one. */
import type { SelectedModel } from "@localharness/models";
import { defined } from "@localharness/protocol";
import { readKeys } from "../../config/keys.ts";
import type { Settings } from "../../config/settings.ts";

/**
 * Returns the window in tokens that requests to Ollama name: that of the settings, else that of the loaded model, else the
 * one that a chat would load the model with. Returns undefined for other servers, which are not told a window.
 */
export async function windowToTry(
  { provider: id, baseUrl, model, contextWindow }: SelectedModel,
  { values, folder }: Settings,
  environment: NodeJS.ProcessEnv,
): Promise<number | undefined> {
  const { createNodeHttp, findProvider, keyFor, loadedWindow } = await import("@localharness/models");
  const provider = findProvider(id);
  if (provider?.api !== "ollama" || baseUrl === "") return undefined;
  if (values.num_ctx !== undefined) return values.num_ctx;
  const key = keyFor(provider, environment, await readKeys(folder))?.key;
  const loaded = { http: createNodeHttp(), origin: baseUrl, model: model.name, ...defined({ key }) };
  return (await loadedWindow(loaded)) ?? contextWindow;
}
