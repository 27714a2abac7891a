/** Talks to the chat completions API of any OpenAI-compatible server (`POST BASE/chat/completions`, SSE). */
import { type Model, maxCallsInAnswer } from "@localharness/engine";
import { defined, type ModelEvent } from "@localharness/protocol";
import { type AdapterOptions, addressAdvice, exchangeOptions, keyAdvice } from "./adapter-options.ts";
import { createCallIds } from "./call-ids.ts";
import { exchange } from "./exchange.ts";
import type { ModelFailure } from "./failure.ts";
import { addressKind } from "./http/address-kind.ts";
import { defaultLimits } from "./http/patience.ts";
import { bareUrl } from "./http/secrets.ts";
import { listNames } from "./list-names.ts";
import { headersOf } from "./ollama-chat.ts";
import { askInputTokens } from "./openai/input-tokens.ts";
import { listOpenaiModels } from "./openai/models.ts";
import { readProps } from "./openai/props.ts";
import { OpenaiReader } from "./openai/reader.ts";
import { defaultDialect, type OpenaiRequestOptions, openaiBody, otherDialect } from "./openai/request.ts";
import { type AskedServer, askWindow, createServedWindow, windowAdvice } from "./openai/window.ts";
import { createProfile, declinesTools, type ModelProfile } from "./profile/model-profile.ts";
import { createFactsReader, factsMs, noFacts } from "./profile/read-facts.ts";
import { refusesFormat, withoutFormat } from "./refused-format.ts";
import { limitMet, type ModelEnd, settleEnd, type Usage } from "./settle-end.ts";
import type { Wire } from "./wire.ts";

export interface OpenaiChatOptions extends AdapterOptions, Omit<OpenaiRequestOptions, "dialect" | "habits"> {
  /** The address up to and including the version, such as `https://api.x.ai/v1`. */
  readonly baseUrl: string;
  /** The environment variables that can hold the key. They are named in the message if the key is refused. */
  readonly keyVariables?: readonly string[];
}

type Options = OpenaiChatOptions & { readonly profile: ModelProfile };

export function createOpenaiChat(given: OpenaiChatOptions): Model {
  const options: Options = { ...given, profile: given.profile ?? createProfile() };
  const wire = createWire(options);
  const window = createServedWindow(() => askedServer(options), isNearby(options.baseUrl));
  const how = exchangeOptions(options, isNearby(options.baseUrl) ? nearbyLimits : defaultLimits);
  return {
    name: options.model,
    provider: options.provider,
    stream: (request, signal) =>
      settleEnd(exchange(wire, request, signal, how), (end, usage) =>
        end.stopReason === "length" ? explainCut(end, usage, options) : undefined,
      ),
    holdsSeveral: () => options.profile.facts.slots !== 1,
    contextWindow: async (tokens) => options.profile.facts.contextWindow ?? (await window(tokens)),
    ...(options.llamaServer === true
      ? { countTokens: (request, signal) => askInputTokens(options.http, wire.request(request), signal) }
      : {}),
  };
}

/**
 * Returns the end together with the limit that the answer reached. Returns the end unchanged if the limit is unknown.
 */
async function explainCut(end: ModelEnd, usage: Usage | undefined, options: Options): Promise<ModelEvent> {
  const { maxTokens } = options;
  const output = "Raise num_predict to get it whole.";
  if (limitMet(usage, undefined, maxTokens) === "output") {
    return { ...end, cut: { at: "output", advice: output } };
  }
  const asked = askedServer(options);
  const served = await askWindow(asked);
  const at = limitMet(usage, served.tokens, maxTokens);
  if (at === undefined) return end;
  return { ...end, cut: { at, advice: at === "window" ? windowAdvice(served, asked.llamaServer) : output } };
}

function askedServer(options: Options): AskedServer {
  const { http, baseUrl, key, model, profile } = options;
  const llamaServer = options.llamaServer === true || isKnownLlamaCpp(profile);
  return { http, baseUrl: baseUrl.replace(/\/+$/, ""), key, model, llamaServer };
}

// Some local servers send a call only when it is complete, so a long call means minutes of silence.
const nearbyLimits = { ...defaultLimits, betweenTokensMs: 10 * 60_000 };

/**
 * Returns true if the host of the URL looks like this machine or a part of a private network: a private address, a name
 * without a dot, or a name that ends in `.local`, `.lan` or `.internal`.
 */
export function isNearby(baseUrl: string): boolean {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname.replace(/^\[|\]$/g, "") : "";
  return addressKind(host) === "private" || /^[^.:]+$|\.(local|lan|internal)$/.test(host);
}

function createWire(options: Options): Wire {
  const base = options.baseUrl.replace(/\/+$/, "");
  const who = `${options.title} at ${bareUrl(base)}`;
  let dialect = defaultDialect;
  const { profile, factsHttp: http } = options;
  const facts =
    http === undefined
      ? noFacts
      : createFactsReader(profile, () => readProps(http, base, options.key, options.model, factsMs));
  let formatted = false;
  return {
    who,
    prepare: () => facts.read(),
    declines: (request) => declinesTools(profile, request, options.model),
    request: (request) => {
      formatted = dialect.responseFormat && request.format !== undefined;
      return {
        method: "POST",
        url: `${base}/chat/completions`,
        headers: { ...headersOf(options.key), accept: "text/event-stream" },
        body: openaiBody(request, { ...options, dialect, ...asLlamaCpp(profile) }),
      };
    },
    createReader: ({ messages, maxCalls = maxCallsInAnswer }) =>
      new OpenaiReader(who, createCallIds(messages), maxCalls),
    adaptTo(failure) {
      if (formatted && refusesFormat(failure)) {
        dialect = { ...dialect, responseFormat: false };
        return `${options.title} ${withoutFormat}.`;
      }
      const other = failure.code === "bad-request" ? otherDialect(dialect, failure.message) : undefined;
      if (other !== undefined) dialect = other.dialect;
      const change = other?.change ?? profile.learn(failure);
      if (other === undefined && change !== undefined) facts.again();
      return change === undefined ? undefined : `${options.title} ${change}.`;
    },
    advise: (failure) => advise(failure, base, options),
  };
}

/** Returns true if the profile has facts that only llama.cpp reports. */
function isKnownLlamaCpp({ facts }: ModelProfile): boolean {
  return facts.template !== undefined || facts.slots !== undefined;
}

/**
 * Returns the request options that follow from the profile. If the server is llama.cpp under any name, they include the
 * options for llama.cpp.
 */
function asLlamaCpp(profile: ModelProfile): Partial<OpenaiRequestOptions> {
  const { habits, facts } = profile;
  if (!isKnownLlamaCpp(profile)) return { habits };
  const { slots } = facts;
  return {
    sendsReasoning: true,
    llamaServer: true,
    habits: new Set([...habits, "empty-part"]),
    ...defined({ slots }),
  };
}

async function overflowAdvice(options: Options): Promise<string> {
  const asked = askedServer(options);
  if (!asked.llamaServer) return "The conversation no longer fits into the model's context. Start a new one.";
  const served = await askWindow(asked);
  return `The conversation no longer fits into the model's context. ${windowAdvice(served, true)}`;
}

async function advise(failure: ModelFailure, base: string, options: Options): Promise<string | undefined> {
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
      return overflowAdvice(options);
    default:
      return undefined;
  }
}
