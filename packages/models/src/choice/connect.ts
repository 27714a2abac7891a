/**
 * Builds a model for an endpoint from its adapter, its profile, an optional recording, and the reader of text calls.
 */
import type { Model } from "@localharness/engine";
import { defined } from "@localharness/protocol";
import type { Http } from "../http/http.ts";
import { bareUrl } from "../http/secrets.ts";
import { type RecordOptions, recordHttp } from "../recordings/record.ts";
import type { Habit } from "../request/profile/habits.ts";
import { createProfile, type ModelFacts, type ModelProfile } from "../request/profile/model-profile.ts";
import { samplingFor } from "../request/sampling.ts";
import { createThinking, type ThinkingControl } from "../request/thinking/control.ts";
import { heedThinking } from "../request/thinking/heed.ts";
import type { PromptThoughts } from "../text-calls/text-call-reader.ts";
import { withTextToolCalls } from "../text-calls/with-text-tool-calls.ts";
import type { AdapterOptions } from "../wire/adapter-options.ts";
import { defaultNumCtx } from "../wire/ollama/default-num-ctx.ts";
import { createOllamaChat } from "../wire/ollama-chat.ts";
import { createOpenaiChat, isKnownLlamaCpp, isNearby } from "../wire/openai-chat.ts";
import { knownKeys, type Provider } from "./catalog.ts";
import type { ModelSelection } from "./model-selection.ts";
import type { ModelTuning } from "./model-tuning.ts";
import { tunedSelection } from "./tuned-selection.ts";

/** One model on one server. */
export interface Endpoint {
  readonly provider: Provider;
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string | undefined;
  readonly http: Http;
}

export interface Connected {
  readonly model: Model;
  readonly profile: ModelProfile;
}

/**
 * Connects to the model at the endpoint. Records its traffic if the selection asks for that, and reads calls from its text.
 * Throws a `HarnessError` if the recording cannot be created.
 */
export function connect(given: ModelSelection, endpoint: Endpoint, facts?: ModelFacts): Connected {
  const selection = tunedSelection(given, endpoint.provider, endpoint.baseUrl, endpoint.model);
  const profile = profileOf(selection, endpoint);
  if (facts !== undefined) profile.tell(facts);
  const { startsInReasoning } = selection.tuning;
  if (startsInReasoning !== undefined) profile.noteThought(startsInReasoning);
  const thinking = thinkingOf(selection, endpoint, profile);
  const wrapped = wrap(selection, recorded(selection, endpoint, profile, thinking), profile);
  const { title } = endpoint.provider;
  const model = selection.think === undefined ? wrapped : heedThinking(wrapped, thinking, title);
  return { model: tunedModel(model, selection.tuning, personsWindow(selection, endpoint)), profile };
}

/**
 * Returns `numCtx`, the context window in tokens that the person has set, for a server nearby. It is used if the server
 * reports no window. Returns undefined for Ollama, which is told the window, and for a server on the internet.
 */
export function personsWindow(
  { numCtx }: Pick<ModelSelection, "numCtx">,
  { provider, baseUrl }: Pick<Endpoint, "provider" | "baseUrl">,
): number | undefined {
  return provider.api !== "ollama" && isNearby(baseUrl) ? numCtx : undefined;
}

/**
 * Returns the model with the nudges and the reading speed of the tuning. Its window is the server's, but at most the
 * tuning's. If the server reports none, it is `persons`, or else the tuning's. With `persons`, the server is asked before
 * the first prompt, however short that prompt is.
 */
function tunedModel(
  model: Model,
  { window, nudges, readsPerSecond }: ModelTuning,
  persons: number | undefined,
): Model {
  const tuned = { ...model, ...defined({ nudgesPerTurn: nudges, readsPerSecond }) };
  if (window === undefined && persons === undefined) return tuned;
  return {
    ...tuned,
    async contextWindow(tokens) {
      const told = await model.contextWindow?.(persons === undefined ? tokens : Number.POSITIVE_INFINITY);
      return told === undefined ? (persons ?? window) : Math.min(told, window ?? told);
    },
  };
}

/** Returns how the person wants the model to think, in the way of its server. */
function thinkingOf(
  { think }: ModelSelection,
  { provider, baseUrl, model }: Endpoint,
  profile: ModelProfile,
): ThinkingControl {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
  const fixed = { provider: provider.id, host, model: model.toLowerCase(), isNearby: isNearby(baseUrl) };
  return createThinking({
    think,
    place: () => ({ ...fixed, isLlamaServer: isLlamaServer(provider, profile) }),
    template: () => profile.facts.template,
  });
}

/** Returns true if the server is llama.cpp under any name. Ollama reports templates too. */
function isLlamaServer({ api, llamaServer }: Provider, profile: ModelProfile): boolean {
  return api === "openai" && (llamaServer === true || isKnownLlamaCpp(profile));
}

function recorded(
  selection: ModelSelection,
  endpoint: Endpoint,
  profile: ModelProfile,
  thinking: ThinkingControl,
): Model {
  const { record } = selection;
  if (record === undefined) return adapter(selection, endpoint, profile, thinking);
  const http = recordHttp(endpoint.http, record, about(selection, endpoint));
  // Questions about the model are not recorded, because a replay asks only for answers.
  return adapter(selection, { ...endpoint, http }, profile, thinking, endpoint.http);
}

/**
 * The habits that all models of a provider have. llama.cpp always gets an empty part in place of an empty text beside
 * calls.
 */
const habitsOfProvider: Partial<Record<Provider["id"], readonly Habit[]>> = { llamacpp: ["empty-part"] };

function profileOf(selection: ModelSelection, { provider, baseUrl, model }: Endpoint): ModelProfile {
  return createProfile(
    habitsOfProvider[provider.id],
    selection.learnt?.(provider.id, bareUrl(baseUrl), model),
  );
}

function about(selection: ModelSelection, { provider, baseUrl, model, key }: Endpoint): RecordOptions {
  const window = provider.api === "ollama" ? { contextWindow: selection.numCtx ?? defaultNumCtx } : {};
  return { provider: provider.id, baseUrl, model, ...window, secrets: secretsOf(selection, key) };
}

/** Returns the texts to mask: the keys of all providers, because a message may contain the key of another provider. */
function secretsOf({ environment, keys }: ModelSelection, key: string | undefined): readonly string[] {
  return [...(key === undefined ? [] : [key]), ...knownKeys(environment, keys)];
}

function thoughtsOf(profile: ModelProfile): PromptThoughts {
  return {
    expected: () => profile.habits.has("starts-in-thought"),
    note: (starts) => profile.noteThought(starts),
  };
}

/** Adds the reader of text calls to a model. */
export function wrap(selection: ModelSelection, model: Model, profile?: ModelProfile): Model {
  return withTextToolCalls(model, {
    mode: selection.toolCalls ?? "auto",
    ...defined({ formats: selection.formats }),
    ...(profile === undefined
      ? {}
      : { template: () => profile.facts.template, thoughts: thoughtsOf(profile) }),
  });
}

/**
 * Creates the adapter for the wire API of the endpoint. `profile` is absent for a replay, whose answers do not depend
 * on the requests. `factsHttp` carries the questions about the model.
 */
export function adapter(
  selection: ModelSelection,
  endpoint: Endpoint,
  profile?: ModelProfile,
  thinking?: ThinkingControl,
  factsHttp: Http = endpoint.http,
): Model {
  const { provider, baseUrl, key } = endpoint;
  const tuning = selection.tuned?.(provider.id, bareUrl(baseUrl), endpoint.model);
  const { fields: sampling, untaken } = samplingFor(tuning?.sampling, provider.id, isNearby(baseUrl));
  const base: AdapterOptions = {
    provider: provider.id,
    title: provider.title,
    model: endpoint.model,
    http: endpoint.http,
    ...defined({ profile, thinking }),
    untaken,
    readsText: selection.toolCalls !== "native",
    ...(profile !== undefined && mayHaveFacts(provider, baseUrl) ? { factsHttp } : {}),
    ...defined({ key }),
    secrets: secretsOf(selection, undefined),
    ...defined({ limits: selection.limits, retry: selection.retry, startHint: provider.startHint }),
  };
  if (provider.api === "ollama") {
    return createOllamaChat({ ...base, ...ollamaOptions(selection), sampling, origin: baseUrl });
  }
  return createOpenaiChat({
    ...base,
    baseUrl,
    keyVariables: provider.keyVariables,
    sendsReasoning: provider.sendsReasoning ?? false,
    llamaServer: provider.llamaServer ?? false,
    sampling,
    ...defined({ maxTokens: selection.numPredict }),
  });
}

/**
 * Returns true if the server may answer questions about its model: Ollama, llama.cpp, or an unknown server nearby,
 * because it may be llama.cpp.
 */
function mayHaveFacts(provider: Provider, baseUrl: string): boolean {
  const { api, id, maybeLlamaServer } = provider;
  return api === "ollama" || id === "llamacpp" || (maybeLlamaServer === true && isNearby(baseUrl));
}

function ollamaOptions(selection: ModelSelection) {
  const { numCtx, learnsWindow, numPredict, keepAlive, think } = selection;
  return {
    ...defined({ numCtx, learnsWindow, numPredict, keepAlive, think }),
  };
}
