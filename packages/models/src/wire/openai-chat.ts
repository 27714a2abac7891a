/** Talks to the chat completions API of any OpenAI-compatible server (`POST BASE/chat/completions`, SSE). */
import { type Model, type ModelRequest, maxCallsInAnswer } from "@localharness/engine";
import { defined, type ModelEvent } from "@localharness/protocol";
import { createCallIds } from "../answer/call-ids.ts";
import type { ModelFailure } from "../answer/failure.ts";
import { limitMet, type ModelEnd, settleEnd, type Usage } from "../answer/settle-end.ts";
import { listNames } from "../choice/list-names.ts";
import { addressKind } from "../http/address-kind.ts";
import type { HttpRequest } from "../http/http.ts";
import { defaultLimits } from "../http/patience.ts";
import { bareUrl } from "../http/secrets.ts";
import { madeBy } from "../origin/made-by.ts";
import type { Habit } from "../request/profile/habits.ts";
import { createProfile, type ModelProfile } from "../request/profile/model-profile.ts";
import { createFactsReader, factsMs, noFacts } from "../request/profile/read-facts.ts";
import { createRequestShape } from "../request/profile/request-shape.ts";
import { refusesFormat, withoutFormat } from "../request/refused-format.ts";
import {
  type AdapterOptions,
  addressAdvice,
  exchangeOptions,
  keyAdvice,
  settingNotices,
} from "./adapter-options.ts";
import { exchange } from "./exchange.ts";
import { headersOf } from "./ollama-chat.ts";
import { askInputTokens } from "./openai/input-tokens.ts";
import { listOpenaiModels } from "./openai/models.ts";
import { readProps } from "./openai/props.ts";
import { OpenaiReader } from "./openai/reader.ts";
import {
  defaultDialect,
  type OpenaiRequestOptions,
  openaiBody,
  otherDialect,
  withoutSampling,
} from "./openai/request.ts";
import { type AskedServer, askWindow, createServedWindow, windowAdvice } from "./openai/window.ts";
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
  let toldUnsaid = false;
  /** Returns the replacement of an end for which the server gave no reason. Only the first one is told. */
  const unsaid = ({ reason: _none, ...end }: ModelEnd): Promise<ModelEvent> | undefined => {
    const isTold = toldUnsaid;
    toldUnsaid = true;
    return isTold ? Promise.resolve(end) : undefined;
  };
  return {
    name: options.model,
    provider: options.provider,
    stream: (request, signal) =>
      settleEnd(exchange(wire, request, signal, how), (end, usage) => {
        if (end.reason === "") return unsaid(end);
        return end.stopReason === "length" ? explainCut(end, usage, options) : undefined;
      }),
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
  const maker = madeBy(base, options.model);
  const { thinking } = options;
  let dialect = defaultDialect;
  const { profile, factsHttp: http } = options;
  const facts =
    http === undefined
      ? noFacts
      : createFactsReader(profile, () => readProps(http, base, options.key, options.model, factsMs));
  let formatted = false;
  const written = (request: ModelRequest, habits: ReadonlySet<Habit>) =>
    openaiBody(request, {
      ...options,
      dialect,
      madeBy: maker,
      fields: thinking?.fields() ?? {},
      ...asLlamaCpp(profile, habits),
    });
  const shape = createRequestShape({ profile, model: options.model, write: written });
  const post = (body: string): HttpRequest => ({
    method: "POST",
    url: `${base}/chat/completions`,
    headers: { ...headersOf(options.key), accept: "text/event-stream" },
    body,
  });
  const dialectAfter = (refusal: string) =>
    otherDialect(dialect, refusal) ?? withoutSampling(dialect, refusal, options.sampling);
  const told = (change: string | undefined) =>
    change === undefined ? undefined : `${options.title} ${change}.`;
  return {
    who,
    prepare: () => facts.read(),
    declines: shape.declines,
    notices: settingNotices(options),
    taken(request) {
      thinking?.taken();
      shape.taken(request);
    },
    reported: shape.reported,
    lastResort: async (failure, request, ask) =>
      told(await shape.lastResort(failure, request, (body) => ask(post(body)))),
    request(request) {
      formatted = dialect.responseFormat && request.format !== undefined;
      return post(shape.body(request));
    },
    createReader: ({ messages, tools, maxCalls = maxCallsInAnswer }) =>
      new OpenaiReader(who, createCallIds(messages), maxCalls, {
        madeBy: maker,
        tools: tools.map(({ name }) => name),
      }),
    noteUnread: ({ kind }) => profile.noteUnread(kind),
    async adaptTo(failure, request, ask) {
      if (formatted && refusesFormat(failure)) {
        dialect = { ...dialect, responseFormat: false };
        return `${options.title} ${withoutFormat}.`;
      }
      const other = failure.code === "bad-request" ? dialectAfter(failure.message) : undefined;
      if (other !== undefined) dialect = other.dialect;
      const change =
        other?.change ??
        thinking?.adapt(failure) ??
        (await shape.adapt(failure, request, (body) => ask(post(body))));
      if (other === undefined && change !== undefined) facts.again();
      return told(change);
    },
    advise: (failure) => advise(failure, base, options),
  };
}

/** Returns true if the profile has facts that only llama.cpp reports. */
export function isKnownLlamaCpp({ facts }: ModelProfile): boolean {
  return facts.template !== undefined || facts.slots !== undefined;
}

/**
 * Returns the request options that follow from the profile. If the server is llama.cpp under any name, they include the
 * options for llama.cpp.
 */
function asLlamaCpp(profile: ModelProfile, habits: ReadonlySet<Habit>): Partial<OpenaiRequestOptions> {
  const { facts } = profile;
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
