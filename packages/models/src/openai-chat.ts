/** Chat completions of every OpenAI-compatible server (`POST BASE/chat/completions`, server-sent events). */
import type { Model } from "@localharness/engine";
import { type AdapterOptions, exchangeOptions, listNames } from "./adapter-options.ts";
import { createCallIds } from "./call-ids.ts";
import { exchange } from "./exchange.ts";
import type { ModelFailure } from "./failure.ts";
import { bareUrl } from "./http/secrets.ts";
import { headersOf } from "./ollama-chat.ts";
import { listOpenaiModels } from "./openai/models.ts";
import { OpenaiReader } from "./openai/reader.ts";
import { type OpenaiRequestOptions, openaiBody } from "./openai/request.ts";
import type { Wire } from "./wire.ts";

export interface OpenaiChatOptions extends AdapterOptions, Omit<OpenaiRequestOptions, "includeUsage"> {
  /** `https://api.x.ai/v1`: the address up to and including the version. */
  readonly baseUrl: string;
  /** Environment variables that can hold the key, for the message when it is refused. */
  readonly keyVariables?: readonly string[];
}

export function createOpenaiChat(options: OpenaiChatOptions): Model {
  const wire = createWire(options);
  const how = exchangeOptions(options);
  return {
    name: options.model,
    provider: options.provider,
    stream: (request, signal) => exchange(wire, request, signal, how),
  };
}

function createWire(options: OpenaiChatOptions): Wire {
  const base = options.baseUrl.replace(/\/+$/, "");
  const who = `${options.title} at ${bareUrl(base)}`;
  let includeUsage = true;
  return {
    who,
    request: (request) => ({
      method: "POST",
      url: `${base}/chat/completions`,
      headers: { ...headersOf(options.key), accept: "text/event-stream" },
      body: openaiBody(request, { ...options, includeUsage }),
    }),
    createReader: (request) => new OpenaiReader(who, createCallIds(request.messages)),
    relent(failure) {
      const about = failure.code === "bad-request" && /stream_options|include_usage/i.test(failure.message);
      if (!includeUsage || !about) return undefined;
      includeUsage = false;
      return `${options.title} does not know stream_options; asking without token counts.`;
    },
    advise: (failure) => advise(failure, base, options),
  };
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
      return keyAdvice(options);
    case "model-not-found": {
      const found = await listOpenaiModels(options.http, base, options.key, 2_000);
      if (!Array.isArray(found))
        return `Is the base URL right? It usually ends in /v1; this one is ${bareUrl(base)}.`;
      const names = listNames(found.map((model) => model.name));
      return names === undefined ? "No model is loaded there." : `Models there: ${names}.`;
    }
    case "context-overflow":
      return "The conversation no longer fits into the model's context. Start a new one.";
    default:
      return undefined;
  }
}

function keyAdvice(options: OpenaiChatOptions): string {
  const names = options.keyVariables ?? [];
  const where = names.length === 0 ? "the key file" : `${names.join(" or ")} or the key file`;
  return options.key === undefined ? `No key was sent: set it in ${where}.` : `Check the key in ${where}.`;
}
