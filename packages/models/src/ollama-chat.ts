/**
 * Talks to Ollama's native chat API (`POST /api/chat`, NDJSON). It does not use Ollama's OpenAI-compatible API, because
 * only the native API can set the context size and forbid the silent loss of messages.
 */
import { type Model, maxCallsInAnswer } from "@localharness/engine";
import { type AdapterOptions, exchangeOptions } from "./adapter-options.ts";
import { createCallIds } from "./call-ids.ts";
import { exchange } from "./exchange.ts";
import type { ModelFailure } from "./failure.ts";
import type { Http } from "./http/http.ts";
import { defaultLimits } from "./http/patience.ts";
import { bareUrl } from "./http/secrets.ts";
import { listNames } from "./list-names.ts";
import { defaultNumCtx } from "./ollama/default-num-ctx.ts";
import { createLoadedQuestion } from "./ollama/loaded-question.ts";
import { listOllamaModels, showOllamaModel, takesTools } from "./ollama/models.ts";
import { createOllamaReader } from "./ollama/reader.ts";
import { type OllamaRequestOptions, ollamaBody } from "./ollama/request.ts";
import { createRunningWindow, type RunningWindow } from "./ollama/running-window.ts";
import { noteLoaded } from "./ollama/window-choice.ts";
import { createProfile, declinesTools } from "./profile/model-profile.ts";
import { createFactsReader, factsMs, noFacts, type Told } from "./profile/read-facts.ts";
import { refusesFormat, withoutFormat } from "./refused-format.ts";
import { settleEnd } from "./settle-end.ts";
import type { Wire } from "./wire.ts";

export interface OllamaChatOptions extends AdapterOptions, Omit<OllamaRequestOptions, "numCtx" | "habits"> {
  /** The origin, without a path, such as `http://127.0.0.1:11434`. */
  readonly origin: string;
  /** The context size in tokens. */
  readonly numCtx?: number;
  /** True if the person did not choose the context size. The profile then notes what fits into video memory. */
  readonly learnsWindow?: boolean;
}

// Ollama sends a call only when it is complete, so a long call means minutes of silence on a slow machine.
const limits = { ...defaultLimits, betweenTokensMs: 15 * 60_000 };

export function createOllamaChat(options: OllamaChatOptions): Model {
  const who = `${options.title} at ${bareUrl(options.origin)}`;
  const numCtx = options.numCtx ?? defaultNumCtx;
  const { profile, learnsWindow } = options;
  const window = createRunningWindow({
    ...options,
    who,
    numCtx,
    ...(learnsWindow !== true || profile === undefined
      ? {}
      : { onLoaded: (loaded) => profile.noteFit(noteLoaded(profile.fit, numCtx, loaded)) }),
  });
  const wire = createWire(options, who, window);
  const how = exchangeOptions(options, limits);
  return {
    name: options.model,
    provider: options.provider,
    stream: (request, signal) => settleEnd(exchange(wire, request, signal, how), window.settle),
    contextWindow: () => Promise.resolve(window.tokens()),
    // Ollama holds one prompt for each model, unless OLLAMA_NUM_PARALLEL is above 1. `false` makes questions beside a turn
    // continue the prompt of the turn, which costs nothing even if Ollama holds several prompts.
    holdsSeveral: () => false,
  };
}

function createWire(options: OllamaChatOptions, who: string, window: RunningWindow): Wire {
  const numCtx = options.numCtx ?? defaultNumCtx;
  const { think, ...withoutThink } = options;
  let thinks = think !== undefined;
  let holdsToSchema = true;
  let formatted = false;
  const { profile = createProfile(), factsHttp: http } = options;
  const facts = http === undefined ? noFacts : createFactsReader(profile, () => askFacts(http, options));
  return {
    who,
    prepare: () => facts.read(),
    ...(http === undefined ? {} : { isLoaded: createLoadedQuestion(http, options) }),
    declines: (request) => declinesTools(profile, request, options.model),
    request: (request) => {
      formatted = holdsToSchema && request.format !== undefined;
      const { habits } = profile;
      return {
        method: "POST",
        url: `${options.origin}/api/chat`,
        headers: headersOf(options.key),
        body: ollamaBody(request, { ...(thinks ? options : withoutThink), numCtx, holdsToSchema, habits }),
      };
    },
    createReader: ({ messages, maxCalls = maxCallsInAnswer }) =>
      createOllamaReader({
        who,
        contextWindow: window.tokens(),
        ids: createCallIds(messages),
        maxCalls,
      }),
    adaptTo(failure) {
      if (formatted && refusesFormat(failure)) {
        holdsToSchema = false;
        return `${options.title} ${withoutFormat}.`;
      }
      if (thinks && /does not support thinking/i.test(failure.message)) {
        thinks = false;
        return `${options.model} does not support thinking; asking without it.`;
      }
      const learnt = profile.learn(failure);
      if (learnt !== undefined) facts.again();
      return learnt === undefined ? undefined : `${options.title} ${learnt}.`;
    },
    advise: (failure) => advise(failure, options, numCtx),
  };
}

/** Reads the model's template from `/api/show`, and whether the model accepts tools and images. */
async function askFacts(http: Http, { origin, key, model }: OllamaChatOptions): Promise<Told> {
  const shown = await showOllamaModel(http, origin, key, model, factsMs);
  if ("message" in shown) return { kind: shown.status === undefined ? "later" : "silent" };
  const { capabilities, template } = shown;
  const says = capabilities.length > 0;
  return {
    kind: "facts",
    facts: {
      ...(template === "" ? {} : { template }),
      ...(says ? { canSee: capabilities.includes("vision") } : {}),
      ...(says ? { takesTools: takesTools(shown) } : {}),
    },
  };
}

export function headersOf(key: string | undefined): Record<string, string> {
  const headers = { "content-type": "application/json" };
  return key === undefined ? headers : { ...headers, authorization: `Bearer ${key}` };
}

async function advise(
  failure: ModelFailure,
  options: OllamaChatOptions,
  numCtx: number,
): Promise<string | undefined> {
  switch (failure.code) {
    case "connection-refused":
      return options.startHint;
    case "model-not-found": {
      const found = await listOllamaModels(options.http, options.origin, options.key, 2_000);
      const names = Array.isArray(found) ? listNames(found.map((model) => model.name)) : undefined;
      const there = names === undefined ? "It has no model yet." : `Models there: ${names}.`;
      return `${there} Get this one with: ollama pull ${options.model}`;
    }
    case "context-overflow":
      return `The conversation no longer fits into num_ctx ${numCtx}. Start a new one, or run with a larger num_ctx.`;
    default:
      return undefined;
  }
}
