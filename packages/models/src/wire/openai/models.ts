/** Lists the models of an OpenAI-compatible server, including the extra fields of LM Studio, llama.cpp and vLLM. */
import { defined, isJsonObject, type JsonObject } from "@localharness/protocol";
import { contextSize } from "../../answer/token-count.ts";
import type { Http } from "../../http/http.ts";
import { askJson, type NoAnswer, noAnswer } from "../../http/read-answer.ts";

export interface ListedModel {
  readonly name: string;
  /** The context window in tokens; absent if the server does not say. */
  readonly contextWindow?: number;
  /** True if the model is in memory; absent if the server does not say. */
  readonly loaded?: boolean;
  /** True if the model accepts tools; absent if the server does not say. */
  readonly canCallTools?: boolean;
  /** True if the model accepts images; absent if the server does not say. */
  readonly canSee?: boolean;
  /** True if the server reports that it is llama.cpp. */
  readonly isLlamaCpp?: true;
  /** False for embedding models. */
  readonly chats: boolean;
}

/** Returns the models that `GET BASE/models` lists, or the reason why there is no list. Never rejects. */
export async function listOpenaiModels(
  http: Http,
  baseUrl: string,
  key: string | undefined,
  limitMs: number,
): Promise<ListedModel[] | NoAnswer> {
  const url = `${baseUrl}/models`;
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const answer = await askJson(http, { method: "GET", url, headers }, limitMs);
  if (answer.kind === "json" && answer.status === 200 && isJsonObject(answer.value)) {
    const rows = answer.value["data"];
    if (Array.isArray(rows)) return rows.filter(isJsonObject).flatMap(readModel);
  }
  return noAnswer(answer, url, "not with a list of models");
}

function readModel(row: JsonObject): ListedModel[] {
  const { id, type, state, status, capabilities } = row;
  if (typeof id !== "string") return [];
  const said = state ?? (isJsonObject(status) ? status["value"] : status);
  const window = firstSize(row["loaded_context_length"], row["max_model_len"], row["max_context_length"]);
  const meta = isJsonObject(row["meta"]) ? firstSize(row["meta"]["n_ctx"]) : undefined;
  const contextWindow = window ?? meta;
  const canCallTools = Array.isArray(capabilities) ? capabilities.includes("tool_use") : undefined;
  const canSee = type === "vlm" ? true : readsImages(row);
  return [
    {
      name: id,
      chats: type !== "embeddings" && !/embed/i.test(id),
      ...defined({ contextWindow }),
      ...(typeof said === "string" ? { loaded: said === "loaded" } : {}),
      ...defined({ canCallTools, canSee }),
      ...(row["owned_by"] === "llamacpp" ? { isLlamaCpp: true } : {}),
    },
  ];
}

/**
 * Returns true if `input_modalities` names images, as in `["text", "image"]`. llama.cpp's router and OpenRouter send
 * this field. Returns undefined without the field.
 */
function readsImages({ input_modalities, architecture }: JsonObject): boolean | undefined {
  const inner = architecture !== undefined && isJsonObject(architecture) ? architecture : {};
  const said = input_modalities ?? inner["input_modalities"];
  return Array.isArray(said) ? said.includes("image") : undefined;
}

function firstSize(...values: unknown[]): number | undefined {
  return values.map(contextSize).find((size) => size !== undefined);
}
