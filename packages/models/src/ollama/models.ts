/** What an Ollama server says about its models: which there are, what they can, which are loaded and with how much context. */
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import type { Http } from "../http/http.ts";
import { askJson, type NoAnswer, noAnswer } from "../http/read-answer.ts";
import { contextSize } from "../token-count.ts";

export interface OllamaModel {
  readonly name: string;
  /** ISO time of the last change, empty when not given. */
  readonly modifiedAt: string;
  /** On the server's disk. */
  readonly sizeBytes?: number;
  /** Where the list says so: newer servers do. */
  readonly capabilities?: readonly string[];
  /** Largest context, tokens; where the list says so. */
  readonly contextLength?: number;
}

export interface LoadedModel {
  readonly name: string;
  /** Tokens of context that it runs with, when the server says so. */
  readonly contextWindow?: number;
}

export interface OllamaDetails {
  readonly capabilities: readonly string[];
  /** Largest context, tokens. */
  readonly contextLength?: number;
  readonly template: string;
}

/** `GET /api/tags`: the models that are there. */
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
          ...(length === undefined ? {} : { contextLength: length }),
        },
      ];
    });
  });
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/**
 * What the list tells of each model, and `POST /api/show` of those of the first `most` of which it tells too little: the
 * template, which says how calls are written, is in there alone, and of use for the first and for models without tools.
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
          : { capabilities, template: "", ...(contextLength === undefined ? {} : { contextLength }) };
      const chats = listed?.capabilities.includes("completion") !== false;
      const enough = contextLength !== undefined && listed?.capabilities.includes("tools") === true;
      if (place >= most || !chats || (enough && row !== first)) return listed;
      const shown = await showOllamaModel(http, origin, key, name, limitMs);
      return "message" in shown ? listed : shown;
    }),
  );
}

/** `GET /api/ps`: the models that are loaded. */
export async function listLoadedModels(http: Http, origin: string, key: string | undefined, limitMs: number) {
  return askFor(http, origin, "/api/ps", key, limitMs, (value): LoadedModel[] | undefined => {
    if (!Array.isArray(value["models"])) return undefined;
    return value["models"].filter(isJsonObject).flatMap((row) => {
      if (typeof row["name"] !== "string") return [];
      const window = contextSize(row["context_length"]);
      return [{ name: row["name"], ...(window === undefined ? {} : { contextWindow: window }) }];
    });
  });
}

/** `POST /api/show`: what one model can. */
export async function showOllamaModel(
  http: Http,
  origin: string,
  key: string | undefined,
  model: string,
  limitMs: number,
) {
  return askFor(http, origin, "/api/show", key, limitMs, readDetails, JSON.stringify({ model }));
}

function readDetails(value: JsonObject): OllamaDetails | undefined {
  const info = isJsonObject(value["model_info"]) ? value["model_info"] : {};
  const key = Object.keys(info).find((name) => name.endsWith(".context_length"));
  const length = key === undefined ? undefined : contextSize(info[key]);
  const capabilities = Array.isArray(value["capabilities"]) ? value["capabilities"] : [];
  return {
    capabilities: capabilities.filter(isText),
    template: typeof value["template"] === "string" ? value["template"] : "",
    ...(length === undefined ? {} : { contextLength: length }),
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
