/** Looks which model servers run on this machine: the known ports, side by side, in a fraction of a second. */
import { addressAdvice, keyAdvice } from "./adapter-options.ts";
import { findProvider, type Provider, type ProviderId, providers } from "./catalog.ts";
import type { Http } from "./http/http.ts";
import type { NoAnswer } from "./http/read-answer.ts";
import { detailsOf, listLoadedModels, listOllamaModels } from "./ollama/models.ts";
import { type ListedModel, listOpenaiModels } from "./openai/models.ts";
import { readProps } from "./openai/props.ts";
import { habitsOfTemplate } from "./profile/habits.ts";
import type { ModelFacts } from "./profile/model-profile.ts";

export interface FoundModel {
  readonly name: string;
  /** True when it is in memory and answers at once. */
  readonly loaded: boolean;
  /** Undefined when the server does not say. */
  readonly canCallTools?: boolean;
  /** False for embedding models and the like. */
  readonly chats: boolean;
  /** Tokens: what it runs with when loaded, else the most it can. */
  readonly contextWindow?: number;
  /** Tokens: the most that it can run with. */
  readonly largestContext?: number;
  readonly template?: string;
  /** The server is llama.cpp, as it says itself. */
  readonly isLlamaCpp?: true;
  /** What llama.cpp found out about the template. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** Conversations that the server holds at once. */
  readonly slots?: number;
  /** True for one that takes images. Undefined when the server does not say. */
  readonly canSee?: boolean;
  /** On the server's disk. */
  readonly sizeBytes?: number;
}

/** Whether a listed name is the wanted one: Ollama lists `qwen3` as `qwen3:latest`. */
export function isNamed(listed: string, wanted: string): boolean {
  return listed === wanted || listed === `${wanted}:latest`;
}

export interface FoundServer {
  readonly provider: ProviderId;
  readonly title: string;
  /** As `Provider.baseUrl`. */
  readonly baseUrl: string;
  readonly models: readonly FoundModel[];
}

/** One address to look at. */
export interface Place {
  readonly provider: ProviderId;
  /** May hold a password: shown by `bareUrl` only. */
  readonly baseUrl: string;
  /** The person has named it, so it may be far away and is waited for longer. */
  readonly named?: true;
}

/** An address that gave no list of models. */
export interface SilentPlace extends Place {
  /** Why, in sentences; absent where nothing listens. */
  readonly reason?: string;
  /** The server's own words where it reads its model into memory: it is worth waiting for. */
  readonly loading?: string;
}

export interface FoundServers {
  readonly servers: readonly FoundServer[];
  readonly silent: readonly SilentPlace[];
}

export interface FindOptions {
  readonly http: Http;
  readonly places: readonly Place[];
  /** Milliseconds for each address, 300 by default; one that the person has named gets 3000 at least. */
  readonly limitMs?: number;
  /** Sent to its own provider alone. */
  readonly key?: (provider: ProviderId) => string | undefined;
  /** Ask for the details of so many models of a server, 6 by default. */
  readonly details?: number;
}

/** The usual ports of this machine; `OLLAMA_HOST` moves Ollama's. */
export function usualPlaces(environment: Readonly<Record<string, string | undefined>> = {}): Place[] {
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

/** `OLLAMA_HOST` may be `host`, `host:port`, `:port` or a URL; the wildcard that servers listen on means this machine. */
export function ollamaOrigin(value: string | undefined): string | undefined {
  const text = value?.trim();
  if (!text) return undefined;
  const url = /^https?:\/\//.test(text) ? text : `http://${text.startsWith(":") ? `127.0.0.1${text}` : text}`;
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  const host = hostname === "0.0.0.0" || hostname === "[::]" ? "127.0.0.1" : hostname;
  const usual = /^https?:\/\/[^/]*:\d+/.test(url) || text.startsWith("http") ? port : port || "11434";
  return `${protocol}//${host}${usual === "" ? "" : `:${usual}`}`;
}

export async function findServers(options: FindOptions): Promise<FoundServers> {
  const found = await Promise.all(options.places.map((place) => look(place, options)));
  return {
    servers: found.filter((one) => "models" in one),
    silent: found.filter((one) => !("models" in one)),
  };
}

const usualMs = 300;
/** A name to look up, TLS, a line that is slow. */
const namedMs = 3_000;

async function look(place: Place, options: FindOptions): Promise<FoundServer | SilentPlace> {
  const { http, details = mostDetails, limitMs = usualMs } = options;
  const provider = findProvider(place.provider);
  if (provider === undefined) return { ...place, reason: `There is no provider "${place.provider}".` };
  const key = options.key?.(provider.id);
  const ms = place.named === true ? Math.max(limitMs, namedMs) : limitMs;
  const models =
    provider.api === "ollama"
      ? await ollamaModels(place.baseUrl, http, ms, key, details)
      : await openaiModels(provider, place.baseUrl, http, ms, key);
  if ("message" in models) return silent(place, models, provider, key);
  const { id, title } = isServedByLlamaCpp(provider, models) ? llamaCpp : provider;
  return { provider: id, title, baseUrl: place.baseUrl, models };
}

const llamaCpp = { id: "llamacpp", title: "llama.cpp" } as const;

/** An address alone says nothing of who serves there; the list of models may. */
function isServedByLlamaCpp({ id }: Provider, models: readonly FoundModel[]): boolean {
  return id === "custom" && models.some((model) => model.isLlamaCpp);
}

function silent(
  place: Place,
  { message, status, nobody, loading }: NoAnswer,
  provider: Provider,
  key?: string,
): SilentPlace {
  if (nobody) return place;
  if (loading !== undefined) return { ...place, reason: message, loading };
  const refused = status === 401 || status === 403;
  if (refused) return { ...place, reason: `${message} ${keyAdvice(provider.keyVariables, key)}` };
  const elsewhere = status === 404 && provider.api === "openai";
  return { ...place, reason: elsewhere ? `${message} ${addressAdvice(place.baseUrl)}` : message };
}

/** Details are asked for a few models only: the loaded ones and those changed last. */
const mostDetails = 6;

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
      canCallTools: capabilities.includes("tools"),
      ...(capabilities.length === 0 ? {} : { canSee: capabilities.includes("vision") }),
      template,
      ...(window === undefined ? {} : { contextWindow: window }),
      ...(details.contextLength === undefined ? {} : { largestContext: details.contextLength }),
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
  // LM Studio's own address says which models are loaded and what they can; the compatible one does not.
  const own = provider.id === "lmstudio" ? baseUrl.replace(/\/v1$/, "/api/v0") : undefined;
  const [plain, detailed] = await Promise.all([
    listOpenaiModels(http, baseUrl, key, limitMs),
    own === undefined ? undefined : listOpenaiModels(http, own, key, limitMs),
  ]);
  const listed = Array.isArray(detailed) ? detailed : plain;
  if (!Array.isArray(listed)) return listed;
  const found = listed.map((model) => asFound(model, provider));
  const [only, another] = found;
  if (only === undefined || another !== undefined || !tellsProps(provider, only)) return found;
  const told = await readProps(http, baseUrl, key, only.name, limitMs);
  return told.kind === "facts" ? [withFacts(only, told.facts)] : found;
}

/** A router serves several models and loads one that is asked about: there the facts wait for the first request. */
function tellsProps({ id }: Provider, { isLlamaCpp }: FoundModel): boolean {
  return id === "llamacpp" || isLlamaCpp === true;
}

function withFacts(model: FoundModel, facts: ModelFacts): FoundModel {
  const habits = habitsOfTemplate(facts.template ?? "", facts.capabilities);
  const { template, capabilities, canSee, contextWindow, slots } = facts;
  return {
    ...model,
    ...(template === undefined ? {} : { template, canCallTools: !habits.includes("no-tools") }),
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(canSee === undefined ? {} : { canSee }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(slots === undefined ? {} : { slots }),
  };
}

/** llama.cpp and vLLM serve what they have loaded; only a server that says otherwise is doubted. */
function asFound(model: ListedModel, provider: Provider): FoundModel {
  return { ...model, loaded: model.loaded ?? provider.id !== "lmstudio" };
}
