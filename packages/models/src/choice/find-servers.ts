/**
 * Finds the model servers that run at the given addresses. All addresses are asked at the same time. This takes less than a
 * second, or several seconds if a server that the person has named is slow.
 */
import { defined } from "@localharness/protocol";
import type { Http } from "../http/http.ts";
import type { NoAnswer } from "../http/read-answer.ts";
import { habitsOfTemplate } from "../request/profile/habits.ts";
import type { ModelFacts } from "../request/profile/model-profile.ts";
import { addressAdvice, keyAdvice } from "../wire/adapter-options.ts";
import { detailsOf, listLoadedModels, listOllamaModels, takesTools } from "../wire/ollama/models.ts";
import { type ListedModel, listOpenaiModels } from "../wire/openai/models.ts";
import { readProps } from "../wire/openai/props.ts";
import { findProvider, type Provider, type ProviderId, providers } from "./catalog.ts";

export interface FoundModel {
  readonly name: string;
  /** True if the model is in memory, so that it answers at once. */
  readonly loaded: boolean;
  /** True if the server only lists the model: that it is loaded is assumed. */
  readonly isLoadedAssumed?: true;
  /** True if the model accepts tools; undefined if the server does not say. */
  readonly canCallTools?: boolean;
  /** False for models that do not chat, such as embedding models. */
  readonly chats: boolean;
  /** The context window in tokens: the current size of a loaded model, or else the maximum. */
  readonly contextWindow?: number;
  /** The largest context window that the model supports, in tokens. */
  readonly maxContext?: number;
  readonly template?: string;
  /** True if the server reports that it is llama.cpp. */
  readonly isLlamaCpp?: true;
  /** `chat_template_caps`: what llama.cpp has found out about the template. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** The number of conversations that the server holds at once. */
  readonly slots?: number;
  /** True if the model accepts images; undefined if the server does not say. */
  readonly canSee?: boolean;
  /** The size on the server's disk, in bytes. */
  readonly sizeBytes?: number;
}

/** Returns true if a listed name means the wanted model. Ollama lists `qwen3` as `qwen3:latest`. */
export function isNamed(listed: string, wanted: string): boolean {
  return listed === wanted || listed === `${wanted}:latest`;
}

export interface FoundServer {
  readonly provider: ProviderId;
  readonly title: string;
  /** The address, in the form of `Provider.baseUrl`. */
  readonly baseUrl: string;
  readonly models: readonly FoundModel[];
}

/** One address where a server may run. */
export interface PossiblePlace {
  readonly provider: ProviderId;
  /** The address. It may contain a password, so it must be shown only through `bareUrl`. */
  readonly baseUrl: string;
  /** True if the person has given this address. The server may be far away, so the time limit is longer. */
  readonly named?: true;
}

/** An address that gave no list of models. */
export interface SilentPlace extends PossiblePlace {
  /** The reason, in whole sentences; absent if nothing listens there. */
  readonly reason?: string;
  /** The server's own message if it is still loading its model, so that it makes sense to wait. */
  readonly loading?: string;
}

export interface FoundServers {
  readonly servers: readonly FoundServer[];
  readonly silent: readonly SilentPlace[];
}

export interface FindOptions {
  readonly http: Http;
  readonly places: readonly PossiblePlace[];
  /**
   * The time limit for each request in milliseconds, by default 300. It is at least 3000 for an address that the person
   * has given.
   */
  readonly limitMs?: number;
  /** Returns the key of a provider. The key is sent to this provider only. */
  readonly key?: (provider: ProviderId) => string | undefined;
  /** The maximum number of models of one server whose details are requested, by default 6. */
  readonly details?: number;
}

/** Returns the default addresses of the providers that run on this machine. `OLLAMA_HOST` replaces Ollama's address. */
export function defaultPlaces(
  environment: Readonly<Record<string, string | undefined>> = {},
): PossiblePlace[] {
  return providers
    .filter((row) => row.port !== undefined)
    .map((row) => {
      const named = row.id === "ollama" ? ollamaOrigin(environment["OLLAMA_HOST"]) : undefined;
      return {
        provider: row.id,
        baseUrl: named ?? row.baseUrl,
        ...(named === undefined ? {} : { named: true }),
      };
    });
}

/**
 * Returns the origin that `OLLAMA_HOST` means: `host`, `host:port`, `:port` or a URL. A wildcard address, on which
 * servers listen, becomes the address of this machine. Returns undefined for an empty or unreadable value.
 */
export function ollamaOrigin(value: string | undefined): string | undefined {
  const text = value?.trim();
  if (!text) return undefined;
  const isUrl = /^https?:\/\//.test(text);
  const url = isUrl ? text : `http://${text.startsWith(":") ? `127.0.0.1${text}` : text}`;
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  const host = hostname === "0.0.0.0" || hostname === "[::]" ? "127.0.0.1" : hostname;
  // `URL` drops a port that is the default of the scheme, such as 80 in `host:80`.
  const hasPort = /^https?:\/\/[^/]*:\d+(\/|$)/.test(url);
  const shown = hasPort || isUrl ? port : port || "11434";
  return `${protocol}//${host}${shown === "" ? "" : `:${shown}`}`;
}

export async function findServers(options: FindOptions): Promise<FoundServers> {
  const found = await Promise.all(options.places.map((place) => askPlace(place, options)));
  return {
    servers: found.filter((one) => "models" in one),
    silent: found.filter((one) => !("models" in one)),
  };
}

const defaultMs = 300;
/**
 * The minimum time limit in milliseconds for an address that the person has given. It leaves time for a name look-up, TLS
 * and a slow network.
 */
const namedMs = 3_000;

async function askPlace(place: PossiblePlace, options: FindOptions): Promise<FoundServer | SilentPlace> {
  const { http, details = maxDetails, limitMs = defaultMs } = options;
  const provider = findProvider(place.provider);
  if (provider === undefined) return { ...place, reason: `There is no provider "${place.provider}".` };
  const key = options.key?.(provider.id);
  const ms = place.named === true ? Math.max(limitMs, namedMs) : limitMs;
  const models =
    provider.api === "ollama"
      ? await ollamaModels(place.baseUrl, http, ms, key, details)
      : await openaiModels(provider, place.baseUrl, http, ms, key);
  if ("message" in models) return silentPlace(place, models, provider, key);
  const { id, title } = isServedByLlamaCpp(provider, models) ? llamaCpp : provider;
  return { provider: id, title, baseUrl: place.baseUrl, models };
}

const llamaCpp = { id: "llamacpp", title: "llama.cpp" } as const;

/** Returns true if a server that may be llama.cpp reports in its list of models that it is. */
function isServedByLlamaCpp(provider: Provider, models: readonly FoundModel[]): boolean {
  return provider.maybeLlamaServer === true && models.some((model) => model.isLlamaCpp);
}

function silentPlace(
  place: PossiblePlace,
  { message, status, notListening, loading }: NoAnswer,
  provider: Provider,
  key?: string,
): SilentPlace {
  if (notListening) return place;
  if (loading !== undefined) return { ...place, reason: message, loading };
  const refused = status === 401 || status === 403;
  if (refused) return { ...place, reason: `${message} ${keyAdvice(provider.keyVariables, key)}` };
  const elsewhere = status === 404 && provider.api === "openai";
  return { ...place, reason: elsewhere ? `${message} ${addressAdvice(place.baseUrl)}` : message };
}

/**
 * The default number of models of one server whose details are requested: first the loaded models, then the models that
 * were changed last.
 */
const maxDetails = 6;

async function ollamaModels(
  origin: string,
  http: Http,
  limitMs: number,
  key: string | undefined,
  most: number,
): Promise<FoundModel[] | NoAnswer> {
  const [there, loaded] = await Promise.all([
    listOllamaModels(http, origin, key, limitMs),
    listLoadedModels(http, origin, key, limitMs),
  ]);
  if (!Array.isArray(there)) return there;
  const windows = new Map(Array.isArray(loaded) ? loaded.map((row) => [row.name, row.contextWindow]) : []);
  const rows = [...there].sort(
    (a, b) =>
      Number(windows.has(b.name)) - Number(windows.has(a.name)) || b.modifiedAt.localeCompare(a.modifiedAt),
  );
  const known = await detailsOf(http, origin, key, rows, most, limitMs);
  return rows.map((row, place): FoundModel => {
    const isLoaded = windows.has(row.name);
    const { name, sizeBytes } = row;
    const size = sizeBytes === undefined ? {} : { sizeBytes };
    const base = { name, loaded: isLoaded, chats: !/embed/i.test(name), ...size };
    const details = known[place];
    if (details === undefined) return base;
    const { capabilities, template } = details;
    const window = windows.get(row.name) ?? details.contextLength;
    return {
      ...base,
      chats: capabilities.length === 0 ? base.chats : capabilities.includes("completion"),
      ...(capabilities.length === 0
        ? {}
        : { canCallTools: takesTools(details), canSee: capabilities.includes("vision") }),
      template,
      ...defined({ contextWindow: window, maxContext: details.contextLength }),
    };
  });
}

async function openaiModels(
  provider: Provider,
  baseUrl: string,
  http: Http,
  limitMs: number,
  key: string | undefined,
): Promise<FoundModel[] | NoAnswer> {
  // LM Studio's own API says which models are loaded and what they can do. Its OpenAI-compatible API does not.
  const own = provider.id === "lmstudio" ? baseUrl.replace(/\/v1$/, "/api/v0") : undefined;
  const [plain, detailed] = await Promise.all([
    listOpenaiModels(http, baseUrl, key, limitMs),
    own === undefined ? undefined : listOpenaiModels(http, own, key, limitMs),
  ]);
  const listed = Array.isArray(detailed) ? detailed : plain;
  if (!Array.isArray(listed)) return listed;
  const found = listed.map((model) => asFound(model, provider));
  const [only, another] = found;
  if (only === undefined || another !== undefined || !hasProps(provider, only)) return found;
  const told = await readProps(http, baseUrl, key, only.name, limitMs);
  return told.kind === "facts" ? [withFacts(only, told.facts)] : found;
}

/**
 * Returns true for llama.cpp, which answers `/props`. Callers must not ask a server with several models (a router), because
 * the question would make it load the model. The facts about a router's model are read before the first request.
 */
function hasProps({ id }: Provider, { isLlamaCpp }: FoundModel): boolean {
  return id === "llamacpp" || isLlamaCpp === true;
}

function withFacts(model: FoundModel, facts: ModelFacts): FoundModel {
  const habits = habitsOfTemplate(facts.template ?? "", facts.capabilities);
  const { template, capabilities, canSee, contextWindow, slots } = facts;
  return {
    ...model,
    ...(template === undefined ? {} : { template, canCallTools: !habits.includes("no-tools") }),
    ...defined({ capabilities, canSee, contextWindow, slots }),
  };
}

/**
 * Returns the model. If the server does not say whether it is loaded, it counts as loaded, except on LM Studio: llama.cpp
 * and vLLM list only loaded models.
 */
function asFound(model: ListedModel, provider: Provider): FoundModel {
  if (model.loaded !== undefined) return { ...model, loaded: model.loaded };
  return provider.id === "lmstudio"
    ? { ...model, loaded: false }
    : { ...model, loaded: true, isLoadedAssumed: true };
}
