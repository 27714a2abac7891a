/**
 * Talks to Ollama's native chat API (`POST /api/chat`, NDJSON). It does not use Ollama's OpenAI-compatible API, because
 * only the native API can set the context size and forbid the silent loss of messages.
 */
import { type Model, type ModelRequest, maxCallsInAnswer } from "@localharness/engine";
import { createCallIds } from "../answer/call-ids.ts";
import type { ModelFailure } from "../answer/failure.ts";
import { settleEnd } from "../answer/settle-end.ts";
import { listNames } from "../choice/list-names.ts";
import type { Http, HttpRequest } from "../http/http.ts";
import { defaultLimits } from "../http/patience.ts";
import { bareUrl } from "../http/secrets.ts";
import { madeBy } from "../origin/made-by.ts";
import type { Habit } from "../request/profile/habits.ts";
import { createProfile } from "../request/profile/model-profile.ts";
import { createFactsReader, factsMs, noFacts, type ReportedFacts } from "../request/profile/read-facts.ts";
import { createRequestShape } from "../request/profile/request-shape.ts";
import { refusesFormat, withoutFormat } from "../request/refused-format.ts";
import { isGptOss } from "../request/thinking/ways.ts";
import { type AdapterOptions, exchangeOptions, settingNotices } from "./adapter-options.ts";
import { exchange } from "./exchange.ts";
import { defaultNumCtx } from "./ollama/default-num-ctx.ts";
import { createLoadedQuestion } from "./ollama/loaded-question.ts";
import { listOllamaModels, showOllamaModel, takesTools } from "./ollama/models.ts";
import { createOllamaReader } from "./ollama/reader.ts";
import { type OllamaRequestOptions, ollamaBody, type Thinking } from "./ollama/request.ts";
import { createRunningWindow, type RunningWindow } from "./ollama/running-window.ts";
import { noteLoaded } from "./ollama/window-choice.ts";
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
  const { think: wanted, ...withoutThink } = options;
  let think: Thinking | undefined = wanted === false && isGptOss(options.model) ? "low" : wanted;
  const maker = madeBy(options.origin, options.model);
  let holdsToSchema = true;
  let formatted = false;
  const { profile = createProfile(), factsHttp: http } = options;
  const facts = http === undefined ? noFacts : createFactsReader(profile, () => askFacts(http, options));
  const written = (request: ModelRequest, habits: ReadonlySet<Habit>) => {
    const thoughts = think === undefined ? {} : { think };
    return ollamaBody(request, {
      ...withoutThink,
      ...thoughts,
      numCtx,
      holdsToSchema,
      habits,
      madeBy: maker,
    });
  };
  const shape = createRequestShape({ profile, model: options.model, write: written });
  const url = `${options.origin}/api/chat`;
  const post = (body: string): HttpRequest => ({
    method: "POST",
    url,
    headers: headersOf(options.key),
    body,
  });
  const told = (change: string | undefined) =>
    change === undefined ? undefined : `${options.title} ${change}.`;
  return {
    who,
    prepare: () => facts.read(),
    ...(http === undefined ? {} : { isLoaded: createLoadedQuestion(http, options) }),
    declines: shape.declines,
    notices: settingNotices(options),
    taken: shape.taken,
    reported: shape.reported,
    lastResort: async (failure, request, ask) =>
      told(await shape.lastResort(failure, request, (body) => ask(post(body)))),
    request(request) {
      formatted = holdsToSchema && request.format !== undefined;
      return post(shape.body(request));
    },
    createReader: ({ messages, maxCalls = maxCallsInAnswer }) =>
      createOllamaReader({
        who,
        contextWindow: window.tokens(),
        ids: createCallIds(messages),
        maxCalls,
        madeBy: maker,
      }),
    noteUnread: ({ kind }) => profile.noteUnread(kind),
    async adaptTo(failure, request, ask) {
      if (formatted && refusesFormat(failure)) {
        holdsToSchema = false;
        return `${options.title} ${withoutFormat}.`;
      }
      const other = otherThinking(think, failure, options.model);
      if (other !== undefined) {
        think = other.think;
        return other.change;
      }
      const learnt = await shape.adapt(failure, request, (body) => ask(post(body)));
      if (learnt !== undefined) facts.again();
      return told(learnt);
    },
    advise: (failure) => advise(failure, options, numCtx),
  };
}

/** Returns the value of `think` to ask with after a refusal, and a notice; undefined if the refusal has another cause. */
function otherThinking(
  think: Thinking | undefined,
  { message }: ModelFailure,
  model: string,
): { readonly think: Thinking | undefined; readonly change: string } | undefined {
  if (think !== undefined && /does not support thinking/i.test(message)) {
    return { think: undefined, change: `${model} does not support thinking; asking without it.` };
  }
  if (typeof think !== "string" || !/think value|invalid think/i.test(message)) return undefined;
  const change = `${model} knows no level ${think} of thinking; asking for thoughts without a level.`;
  return { think: true, change };
}

/** Reads the model's template from `/api/show`, and whether the model accepts tools and images. */
async function askFacts(http: Http, { origin, key, model }: OllamaChatOptions): Promise<ReportedFacts> {
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
