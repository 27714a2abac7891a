/**
 * Ollama's native chat (`POST /api/chat`, NDJSON). Native rather than the OpenAI-compatible address, because only here
 * the context size can be set and silent loss of messages be forbidden.
 */
import type { Model } from "@localharness/engine";
import { type AdapterOptions, exchangeOptions, listNames } from "./adapter-options.ts";
import { createCallIds } from "./call-ids.ts";
import { exchange } from "./exchange.ts";
import type { ModelFailure } from "./failure.ts";
import { defaultLimits } from "./http/patience.ts";
import { bareUrl } from "./http/secrets.ts";
import { listOllamaModels } from "./ollama/models.ts";
import { createOllamaReader } from "./ollama/reader.ts";
import { type OllamaRequestOptions, ollamaBody } from "./ollama/request.ts";
import { createRunningWindow, type RunningWindow } from "./ollama/running-window.ts";
import { refusesFormat, withoutFormat } from "./refused-format.ts";
import { settleEnd } from "./settle-end.ts";
import type { Wire } from "./wire.ts";

export interface OllamaChatOptions extends AdapterOptions, Omit<OllamaRequestOptions, "numCtx"> {
  /** `http://127.0.0.1:11434`, without a path. */
  readonly origin: string;
  /** Tokens. */
  readonly numCtx?: number;
}

/** Tokens of context when nobody says otherwise: enough for an agent, bearable beside an 8B model on 8 GB. */
export const defaultNumCtx = 16_384;

// A call comes whole, so that a long one is minutes of silence on a slow machine.
const limits = { ...defaultLimits, betweenTokensMs: 15 * 60_000 };

export function createOllamaChat(options: OllamaChatOptions): Model {
  const who = `${options.title} at ${bareUrl(options.origin)}`;
  const window = createRunningWindow({ ...options, who, numCtx: options.numCtx ?? defaultNumCtx });
  const wire = createWire(options, who, window);
  const how = exchangeOptions(options, limits);
  return {
    name: options.model,
    provider: options.provider,
    stream: (request, signal) => settleEnd(exchange(wire, request, signal, how), window.settle),
  };
}

function createWire(options: OllamaChatOptions, who: string, window: RunningWindow): Wire {
  const numCtx = options.numCtx ?? defaultNumCtx;
  const { think, ...withoutThink } = options;
  let thinks = think !== undefined;
  let holdsToSchema = true;
  let formatted = false;
  return {
    who,
    request: (request) => {
      formatted = holdsToSchema && request.format !== undefined;
      return {
        method: "POST",
        url: `${options.origin}/api/chat`,
        headers: headersOf(options.key),
        body: ollamaBody(request, { ...(thinks ? options : withoutThink), numCtx, holdsToSchema }),
      };
    },
    createReader: (request) => createOllamaReader(who, window.tokens(), createCallIds(request.messages)),
    relent(failure) {
      if (formatted && refusesFormat(failure)) {
        holdsToSchema = false;
        return `${options.title} ${withoutFormat}.`;
      }
      if (!thinks || !/does not support thinking/i.test(failure.message)) return undefined;
      thinks = false;
      return `${options.model} does not support thinking; asking without it.`;
    },
    advise: (failure) => advise(failure, options, numCtx),
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
