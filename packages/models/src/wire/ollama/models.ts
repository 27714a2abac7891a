/** Asks an Ollama server about its models: which exist, what they can do, which are loaded, and their context sizes. */
import { defined, isJsonObject, type JsonObject } from "@localharness/protocol";
import { contextSize } from "../../answer/token-count.ts";
import type { Http } from "../../http/http.ts";
import { askJson, type NoAnswer, noAnswer } from "../../http/read-answer.ts";
import { habitsOfTemplate } from "../../request/profile/habits.ts";

export interface OllamaModel {
  readonly name: string;
  /** The time of the last change in ISO format; empty if the server does not give it. */
  readonly modifiedAt: string;
  /** The size on the server's disk, in bytes. */
  readonly sizeBytes?: number;
  /** The abilities of the model; absent in the lists of older servers. */
  readonly capabilities?: readonly string[];
  /** The maximum context size in tokens; absent if the list does not have it. */
  readonly contextLength?: number;
}

export interface LoadedModel {
  readonly name: string;
  /** The current context size in tokens; absent if the server does not report it. */
  readonly contextWindow?: number;
  /** The memory that the model takes, in bytes. */
  readonly sizeBytes?: number;
  /** The part of `sizeBytes` that is video memory; 0 without a graphics card. */
  readonly videoBytes?: number;
}

export interface OllamaDetails {
  readonly capabilities: readonly string[];
  /** The maximum context size in tokens. */
  readonly contextLength?: number;
  readonly template: string;
}

/**
 * Returns true if the model accepts tools. It does not if its template leaves out calls unless the content beside them is null,
 * which this API cannot send.
 */
export function takesTools({ capabilities, template }: OllamaDetails): boolean {
  return capabilities.includes("tools") && !habitsOfTemplate(template).includes("null-beside-calls");
}

/** Returns the installed models (`GET /api/tags`), or the reason why there is no list. */
export async function listOllamaModels(http: Http, origin: string, key: string | undefined, limitMs: number) {
  return askFor(http, origin, "/api/tags", key, limitMs, (value): OllamaModel[] | undefined => {
    if (!Array.isArray(value["models"])) return undefined;
    return value["models"].filter(isJsonObject).flatMap((row) => {
      const name = row["name"] ?? row["model"];
      if (typeof name !== "string") return [];
      const bytes = row["size"];
      const modifiedAt = typeof row["modified_at"] === "string" ? row["modified_at"] : "";
      const { capabilities, details } = row;
      const length =
        details !== undefined && isJsonObject(details) ? contextSize(details["context_length"]) : undefined;
      return [
        {
          name,
          modifiedAt,
          ...(typeof bytes === "number" && bytes > 0 ? { sizeBytes: bytes } : {}),
          ...(Array.isArray(capabilities) ? { capabilities: capabilities.filter(isText) } : {}),
          ...defined({ contextLength: length }),
        },
      ];
    });
  });
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/**
 * Resolves to the details of each model, in the order of `rows`; undefined for a model without any. Among the first `most`
 * rows, asks `POST /api/show` about the first chat model, and about each chat model for which the list lacks the context
 * size or the ability to use tools. Only `/api/show` has the template, which shows how calls are written.
 */
export function detailsOf(
  http: Http,
  origin: string,
  key: string | undefined,
  rows: readonly OllamaModel[],
  most: number,
  limitMs: number,
): Promise<(OllamaDetails | undefined)[]> {
  const first = rows.find(({ capabilities }) => capabilities?.includes("completion") !== false);
  return Promise.all(
    rows.map(async (row, place) => {
      const { name, capabilities, contextLength } = row;
      const listed =
        capabilities === undefined || capabilities.length === 0
          ? undefined
          : { capabilities, template: "", ...defined({ contextLength }) };
      const chats = listed?.capabilities.includes("completion") !== false;
      const enough = contextLength !== undefined && listed?.capabilities.includes("tools") === true;
      if (place >= most || !chats || (enough && row !== first)) return listed;
      const shown = await showOllamaModel(http, origin, key, name, limitMs);
      return "message" in shown ? listed : shown;
    }),
  );
}

/** Returns the loaded models (`GET /api/ps`), or the reason why there is no list. */
export async function listLoadedModels(http: Http, origin: string, key: string | undefined, limitMs: number) {
  return askFor(http, origin, "/api/ps", key, limitMs, (value): LoadedModel[] | undefined => {
    if (!Array.isArray(value["models"])) return undefined;
    return value["models"].filter(isJsonObject).flatMap((row) => {
      if (typeof row["name"] !== "string") return [];
      const window = contextSize(row["context_length"]);
      const sizes = { sizeBytes: bytesOf(row["size"]), videoBytes: bytesOf(row["size_vram"]) };
      return [{ name: row["name"], ...defined({ contextWindow: window, ...sizes }) }];
    });
  });
}

function bytesOf(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 ? value : undefined;
}

/** Returns the details of one model (`POST /api/show`), or the reason why there are none. */
export async function showOllamaModel(
  http: Http,
  origin: string,
  key: string | undefined,
  model: string,
  limitMs: number,
) {
  return askFor(http, origin, "/api/show", key, limitMs, readDetails, JSON.stringify({ model }));
}

/** Matches the template `{{ .Prompt }}` of models whose prompt Ollama writes in code. It proves nothing about tools. */
const builtIn = /^\s*\{\{-?\s*\.Prompt\s*-?\}\}\s*$/;

function readDetails(value: JsonObject): OllamaDetails | undefined {
  const info = isJsonObject(value["model_info"]) ? value["model_info"] : {};
  const key = Object.keys(info).find((name) => name.endsWith(".context_length"));
  const length = key === undefined ? undefined : contextSize(info[key]);
  const capabilities = Array.isArray(value["capabilities"]) ? value["capabilities"] : [];
  const { template } = value;
  return {
    capabilities: capabilities.filter(isText),
    template: typeof template === "string" && !builtIn.test(template) ? template : "",
    ...defined({ contextLength: length }),
  };
}

async function askFor<T>(
  http: Http,
  origin: string,
  path: string,
  key: string | undefined,
  limitMs: number,
  read: (value: JsonObject) => T | undefined,
  body?: string,
): Promise<T | NoAnswer> {
  const auth: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const request =
    body === undefined
      ? { method: "GET" as const, url: origin + path, headers: auth }
      : {
          method: "POST" as const,
          url: origin + path,
          headers: { ...auth, "content-type": "application/json" },
          body,
        };
  const answer = await askJson(http, request, limitMs);
  if (answer.kind === "json" && answer.status === 200 && isJsonObject(answer.value)) {
    const found = read(answer.value);
    if (found !== undefined) return found;
  }
  return noAnswer(answer, origin + path, "not as Ollama does");
}
