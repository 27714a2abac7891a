/** Chat completions of every OpenAI-compatible server (`POST BASE/chat/completions`, server-sent events). */
import type { Model } from "@localharness/engine";
import {
  type AdapterOptions,
  addressAdvice,
  exchangeOptions,
  keyAdvice,
  listNames,
} from "./adapter-options.ts";
import { createCallIds } from "./call-ids.ts";
import { exchange } from "./exchange.ts";
import type { ModelFailure } from "./failure.ts";
import type { Http } from "./http/http.ts";
import { defaultLimits } from "./http/patience.ts";
import { bareUrl } from "./http/secrets.ts";
import { headersOf } from "./ollama-chat.ts";
import { listOpenaiModels } from "./openai/models.ts";
import { readProps } from "./openai/props.ts";
import { OpenaiReader } from "./openai/reader.ts";
import { type OpenaiRequestOptions, openaiBody, otherDialect, usualDialect } from "./openai/request.ts";
import { createProfile, declinesTools, type ModelProfile } from "./profile/model-profile.ts";
import { createFactsReader, noFacts } from "./profile/read-facts.ts";
import type { Wire } from "./wire.ts";

export interface OpenaiChatOptions extends AdapterOptions, Omit<OpenaiRequestOptions, "dialect" | "habits"> {
  /** `https://api.x.ai/v1`: the address up to and including the version. */
  readonly baseUrl: string;
  /** Environment variables that can hold the key, for the message when it is refused. */
  readonly keyVariables?: readonly string[];
  /** Asks `GET /props` what the model is, where the server may be llama.cpp. */
  readonly factsHttp?: Http;
}

export function createOpenaiChat(options: OpenaiChatOptions): Model {
  const wire = createWire(options);
  const how = exchangeOptions(options, isNearby(options.baseUrl) ? nearbyLimits : defaultLimits);
  return {
    name: options.model,
    provider: options.provider,
    stream: (request, signal) => exchange(wire, request, signal, how),
  };
}

/** For an answer of a few kilobytes; a server that reads a long prompt may still need a moment. */
const propsMs = 2_000;

// Some local servers hold a call back until it is whole, so that a long one is minutes of silence.
const nearbyLimits = { ...defaultLimits, betweenTokensMs: 10 * 60_000 };

/** On this machine or in this network, going by the host. */
export function isNearby(baseUrl: string): boolean {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
  return /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[::1\]|[^.]+$)|\.(local|lan|internal)$/.test(
    host,
  );
}

function createWire(options: OpenaiChatOptions): Wire {
  const base = options.baseUrl.replace(/\/+$/, "");
  const who = `${options.title} at ${bareUrl(base)}`;
  let dialect = usualDialect;
  const { profile = createProfile() } = options;
  const { factsHttp: http } = options;
  const facts =
    http === undefined
      ? noFacts
      : createFactsReader(profile, () => readProps(http, base, options.key, options.model, propsMs));
  return {
    who,
    prepare: () => facts.read(),
    declines: (request) => declinesTools(profile, request, options.model),
    request: (request) => ({
      method: "POST",
      url: `${base}/chat/completions`,
      headers: { ...headersOf(options.key), accept: "text/event-stream" },
      body: openaiBody(request, { ...options, dialect, ...asLlamaCpp(profile) }),
    }),
    createReader: (request) => new OpenaiReader(who, createCallIds(request.messages)),
    relent(failure) {
      const other = failure.code === "bad-request" ? otherDialect(dialect, failure.message) : undefined;
      if (other !== undefined) dialect = other.dialect;
      const change = other?.change ?? profile.learn(failure);
      if (other === undefined && change !== undefined) facts.again();
      return change === undefined ? undefined : `${options.title} ${change}.`;
    },
    advise: (failure) => advise(failure, base, options),
  };
}

/** A server that tells its template is llama.cpp, whatever it was called. */
function asLlamaCpp(profile: ModelProfile): Partial<OpenaiRequestOptions> {
  const { habits, facts } = profile;
  if (facts.template === undefined && facts.slots === undefined) return { habits };
  return { sendsReasoning: true, habits: new Set([...habits, "empty-part"]) };
}

async function advise(
  failure: ModelFailure,
  base: string,
  options: OpenaiChatOptions,
): Promise<string | undefined> {
  switch (failure.code) {
    case "connection-refused":
      return options.startHint;
    case "unauthorized":
      return keyAdvice(options.keyVariables ?? [], options.key);
    case "model-not-found": {
      const found = await listOpenaiModels(options.http, base, options.key, 2_000);
      if (!Array.isArray(found)) return addressAdvice(base);
      const names = listNames(found.map((model) => model.name));
      return names === undefined ? "No model is loaded there." : `Models there: ${names}.`;
    }
    case "context-overflow":
      return "The conversation no longer fits into the model's context. Start a new one.";
    default:
      return undefined;
  }
}
