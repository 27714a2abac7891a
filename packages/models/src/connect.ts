/** Puts the parts of a model together: adapter of its wire, recording, calls in text. */
import type { Model } from "@localharness/engine";
import type { AdapterOptions } from "./adapter-options.ts";
import { knownKeys, type Provider } from "./catalog.ts";
import type { Http } from "./http/http.ts";
import type { ModelSelection } from "./model-selection.ts";
import { createOllamaChat, defaultNumCtx } from "./ollama-chat.ts";
import { createOpenaiChat } from "./openai-chat.ts";
import { type RecordOptions, recordHttp } from "./record.ts";
import { withTextToolCalls } from "./with-text-tool-calls.ts";

/** The model behind the wire, recorded when asked, with its text watched for calls. */
export function connect(
  selection: ModelSelection,
  provider: Provider,
  baseUrl: string,
  name: string,
  key: string | undefined,
  http: Http,
  template?: string,
): Model {
  const { record } = selection;
  const door =
    record === undefined ? http : recordHttp(http, record, about(selection, provider, baseUrl, name, key));
  return wrap(selection, adapter(selection, provider, baseUrl, name, key, door), template);
}

function about(
  selection: ModelSelection,
  provider: Provider,
  baseUrl: string,
  model: string,
  key: string | undefined,
): RecordOptions {
  const window = provider.api === "ollama" ? { contextWindow: selection.numCtx ?? defaultNumCtx } : {};
  return { provider: provider.id, baseUrl, model, ...window, secrets: secretsOf(selection, key) };
}

/** What was said may hold the key of another provider. */
function secretsOf({ environment, keys }: ModelSelection, key: string | undefined): readonly string[] {
  return [...(key === undefined ? [] : [key]), ...knownKeys(environment, keys)];
}

export function wrap(selection: ModelSelection, model: Model, template?: string): Model {
  return withTextToolCalls(model, {
    mode: selection.toolCalls ?? "auto",
    ...(template === undefined ? {} : { template }),
  });
}

export function adapter(
  selection: ModelSelection,
  provider: Provider,
  baseUrl: string,
  name: string,
  key: string | undefined,
  http: Http,
): Model {
  const base: AdapterOptions = {
    provider: provider.id,
    title: provider.title,
    model: name,
    http,
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
    ...(selection.numPredict === undefined ? {} : { maxTokens: selection.numPredict }),
  });
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
