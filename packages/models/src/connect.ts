/** Puts the parts of a model together: adapter of its wire, recording, what is known of it, calls in text. */
import type { Model } from "@localharness/engine";
import type { AdapterOptions } from "./adapter-options.ts";
import { knownKeys, type Provider } from "./catalog.ts";
import type { Http } from "./http/http.ts";
import { bareUrl } from "./http/secrets.ts";
import type { ModelSelection } from "./model-selection.ts";
import { createOllamaChat, defaultNumCtx } from "./ollama-chat.ts";
import { createOpenaiChat, isNearby } from "./openai-chat.ts";
import type { Habit } from "./profile/habits.ts";
import { createProfile, type ModelFacts, type ModelProfile } from "./profile/model-profile.ts";
import { type RecordOptions, recordHttp } from "./record.ts";
import { withTextToolCalls } from "./with-text-tool-calls.ts";

/** One model of one server. */
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

/** The model at the endpoint, recorded when asked, with its text watched for calls. */
export function connect(selection: ModelSelection, endpoint: Endpoint, facts?: ModelFacts): Connected {
  const profile = profileOf(selection, endpoint);
  if (facts !== undefined) profile.tell(facts);
  return { model: wrap(selection, recorded(selection, endpoint, profile), profile), profile };
}

function recorded(selection: ModelSelection, endpoint: Endpoint, profile: ModelProfile): Model {
  const { record } = selection;
  if (record === undefined) return adapter(selection, endpoint, profile);
  const http = recordHttp(endpoint.http, record, about(selection, endpoint));
  // What a server tells of its model is left out of a recording: a replay asks for answers alone.
  return adapter(selection, { ...endpoint, http }, profile, endpoint.http);
}

/** Adapters of llama.cpp never send an empty text beside calls. */
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

/** What was said may hold the key of another provider. */
function secretsOf({ environment, keys }: ModelSelection, key: string | undefined): readonly string[] {
  return [...(key === undefined ? [] : [key]), ...knownKeys(environment, keys)];
}

export function wrap(selection: ModelSelection, model: Model, profile?: ModelProfile): Model {
  return withTextToolCalls(model, {
    mode: selection.toolCalls ?? "auto",
    ...(profile === undefined ? {} : { template: () => profile.facts.template }),
  });
}

/** `profile`: absent for a replay, whose answers do not depend on what is asked. */
export function adapter(
  selection: ModelSelection,
  endpoint: Endpoint,
  profile?: ModelProfile,
  factsHttp: Http = endpoint.http,
): Model {
  const { provider, baseUrl, key } = endpoint;
  const base: AdapterOptions = {
    provider: provider.id,
    title: provider.title,
    model: endpoint.model,
    http: endpoint.http,
    ...(profile === undefined ? {} : { profile }),
    ...(profile !== undefined && mayTell(provider, baseUrl) ? { factsHttp } : {}),
    ...(key === undefined ? {} : { key }),
    secrets: secretsOf(selection, undefined),
    ...(selection.limits === undefined ? {} : { limits: selection.limits }),
    ...(selection.retry === undefined ? {} : { retry: selection.retry }),
    ...(provider.startHint === undefined ? {} : { startHint: provider.startHint }),
  };
  if (provider.api === "ollama")
    return createOllamaChat({ ...base, ...ollamaOptions(selection), origin: baseUrl });
  return createOpenaiChat({
    ...base,
    baseUrl,
    keyVariables: provider.keyVariables,
    sendsReasoning: provider.sendsReasoning ?? false,
    llamaServer: provider.llamaServer ?? false,
    ...(selection.numPredict === undefined ? {} : { maxTokens: selection.numPredict }),
  });
}

/** Ollama and llama.cpp tell of their models, and a server nearby that nobody has named may be llama.cpp. */
function mayTell(provider: Provider, baseUrl: string): boolean {
  return (
    provider.api === "ollama" || provider.id === "llamacpp" || (provider.id === "custom" && isNearby(baseUrl))
  );
}

function ollamaOptions(selection: ModelSelection) {
  const { numCtx, numPredict, keepAlive, think } = selection;
  return {
    ...(numCtx === undefined ? {} : { numCtx }),
    ...(numPredict === undefined ? {} : { numPredict }),
    ...(keepAlive === undefined ? {} : { keepAlive }),
    ...(think === undefined ? {} : { think }),
  };
}
