/** Reads what a llama.cpp server reports about its model: `GET /props`, next to `/v1`. */
import { defined, isJsonObject, type JsonObject } from "@localharness/protocol";
import { contextSize } from "../../answer/token-count.ts";
import type { Http } from "../../http/http.ts";
import { askJson } from "../../http/read-answer.ts";
import type { ModelFacts } from "../../request/profile/model-profile.ts";
import type { ReportedFacts } from "../../request/profile/read-facts.ts";

/**
 * Asks once for the facts about a model, and gives up after `limitMs`. Never rejects. `model` is the name of the model,
 * for a server with several models.
 */
export async function readProps(
  http: Http,
  baseUrl: string,
  key: string | undefined,
  model: string,
  limitMs: number,
): Promise<ReportedFacts> {
  const origin = baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "");
  const url = `${origin}/props?model=${encodeURIComponent(model)}`;
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const answer = await askJson(http, { method: "GET", url, headers }, limitMs, { maxChars: maxPropsChars });
  if (answer.kind === "no-json" || answer.kind === "unreadable") return { kind: "silent" };
  if (answer.kind !== "json" || answer.status === 503) return { kind: "later" };
  if (answer.status !== 200 || !isJsonObject(answer.value)) return { kind: "silent" };
  const facts = readFacts(answer.value);
  return facts === undefined ? { kind: "silent" } : { kind: "facts", facts };
}

/** Returns the facts in an answer of llama.cpp; undefined for an answer of another shape. */
export function readFacts(value: JsonObject): ModelFacts | undefined {
  const settings = value["default_generation_settings"];
  const template = value["chat_template"];
  if (!isJsonObject(settings) && typeof template !== "string") return undefined;
  const capabilities = value["chat_template_caps"];
  const modalities = value["modalities"];
  const contextWindow = isJsonObject(settings) ? contextSize(settings["n_ctx"]) : undefined;
  const slots = contextSize(value["total_slots"]);
  const vision = isJsonObject(modalities) ? modalities["vision"] : undefined;
  return {
    ...(isTemplate(template) ? { template } : {}),
    ...(isJsonObject(capabilities) ? { capabilities } : {}),
    ...defined({ contextWindow, slots }),
    ...(typeof vision === "boolean" ? { canSee: vision } : {}),
  };
}

const maxPropsChars = 1024 * 1024;
/** The maximum length of a template that is read. The longest known template has 17,000 characters. */
const maxTemplateChars = 256 * 1_024;

function isTemplate(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= maxTemplateChars;
}
