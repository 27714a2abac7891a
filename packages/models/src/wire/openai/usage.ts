/** Reads the token counts of OpenAI-compatible servers, and the timings and the prompt progress of llama.cpp. */
import { defined, isJsonObject, type JsonObject, type ModelEvent } from "@localharness/protocol";
import { tokenCount } from "../../answer/token-count.ts";

export function readUsage(chunk: JsonObject): Extract<ModelEvent, { type: "usage" }> | undefined {
  const usage = isJsonObject(chunk["usage"]) ? chunk["usage"] : {};
  const timings = isJsonObject(chunk["timings"]) ? chunk["timings"] : {};
  const inputTokens = tokenCount(usage["prompt_tokens"]);
  const outputTokens = tokenCount(usage["completion_tokens"]);
  const cachedTokens = readCached(usage, timings, inputTokens);
  if (inputTokens === undefined && outputTokens === undefined && cachedTokens === undefined) return undefined;
  return {
    type: "usage",
    ...defined({ inputTokens, outputTokens, cachedTokens }),
  };
}

/**
 * Returns the number of prompt tokens that came from the cache. Older llama.cpp servers report only the number of the tokens
 * that did not, as `prompt_n`.
 */
function readCached(
  usage: JsonObject,
  timings: JsonObject,
  inputTokens: number | undefined,
): number | undefined {
  const details = isJsonObject(usage["prompt_tokens_details"]) ? usage["prompt_tokens_details"] : {};
  const said = tokenCount(timings["cache_n"]) ?? tokenCount(details["cached_tokens"]);
  const read = tokenCount(timings["prompt_n"]);
  if (said !== undefined || read === undefined || inputTokens === undefined) return said;
  return tokenCount(inputTokens - read);
}

/**
 * Reads prompt progress such as `{"prompt_progress":{"total":237,"cache":0,"processed":128,"time_ms":181}}`. The
 * request field `return_progress` asks for it.
 */
export function readProgress(chunk: JsonObject): ModelEvent | undefined {
  const progress = chunk["prompt_progress"];
  if (progress === undefined || !isJsonObject(progress)) return undefined;
  const totalTokens = tokenCount(progress["total"]);
  const doneTokens = tokenCount(progress["processed"]);
  if (totalTokens === undefined || doneTokens === undefined || doneTokens > totalTokens) return undefined;
  const cachedTokens = Math.min(tokenCount(progress["cache"]) ?? 0, totalTokens);
  return { type: "prompt-progress", totalTokens, cachedTokens, doneTokens };
}
