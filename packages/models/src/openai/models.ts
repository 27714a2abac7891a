/** The models that an OpenAI-compatible server lists, with what LM Studio, llama.cpp and vLLM add. */
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import type { Http } from "../http/http.ts";
import { askJson, type NoAnswer, noAnswer } from "../http/read-answer.ts";
import { contextSize } from "../token-count.ts";

export interface ListedModel {
  readonly name: string;
  /** Tokens, when the server says so. */
  readonly contextWindow?: number;
  /** Absent when the server does not say. */
  readonly loaded?: boolean;
  readonly canCallTools?: boolean;
  readonly canSee?: boolean;
  /** The server is llama.cpp, as it says itself. */
  readonly isLlamaCpp?: true;
  /** An embedding model cannot chat. */
  readonly chats: boolean;
}

/** `GET BASE/models`. */
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
      ...(contextWindow === undefined ? {} : { contextWindow }),
      ...(typeof said === "string" ? { loaded: said === "loaded" } : {}),
      ...(canCallTools === undefined ? {} : { canCallTools }),
      ...(canSee === undefined ? {} : { canSee }),
      ...(row["owned_by"] === "llamacpp" ? { isLlamaCpp: true } : {}),
    },
  ];
}

/** As llama.cpp's router and OpenRouter say what a model takes: `"input_modalities": ["text", "image"]`. */
function readsImages({ input_modalities, architecture }: JsonObject): boolean | undefined {
  const inner = architecture !== undefined && isJsonObject(architecture) ? architecture : {};
  const said = input_modalities ?? inner["input_modalities"];
  return Array.isArray(said) ? said.includes("image") : undefined;
}

function firstSize(...values: unknown[]): number | undefined {
  return values.map(contextSize).find((size) => size !== undefined);
}
