/** Token counts as OpenAI-compatible servers give them, llama.cpp's timings included. */
import { isJsonObject, type JsonObject, type ModelEvent } from "@localharness/protocol";
import { tokenCount } from "../token-count.ts";

export function readUsage(chunk: JsonObject): ModelEvent | undefined {
  const usage = isJsonObject(chunk["usage"]) ? chunk["usage"] : {};
  const details = isJsonObject(usage["prompt_tokens_details"]) ? usage["prompt_tokens_details"] : {};
  const timings = isJsonObject(chunk["timings"]) ? chunk["timings"] : {};
  const inputTokens = tokenCount(usage["prompt_tokens"]);
  const outputTokens = tokenCount(usage["completion_tokens"]);
  const cachedTokens = tokenCount(details["cached_tokens"]) ?? tokenCount(timings["cache_n"]);
  if (inputTokens === undefined && outputTokens === undefined && cachedTokens === undefined) return undefined;
  return {
    type: "usage",
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
  };
}
