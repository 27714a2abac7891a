/** Asks a server for embeddings: Ollama (`POST /api/embed`) or any OpenAI-compatible server (`POST BASE/embeddings`). */
import { isJsonObject, type JsonValue } from "@localharness/protocol";
import { embeddingKeys, keyFor, providers } from "../choice/catalog.ts";
import type { Http } from "../http/http.ts";
import { createNodeHttp } from "../http/node-http.ts";
import { askJson, type NoAnswer, noAnswer } from "../http/read-answer.ts";
import { bareUrl } from "../http/secrets.ts";
import type { ModelQueue } from "../request/take-turns.ts";
import { keyAdvice } from "./adapter-options.ts";
import { headersOf } from "./ollama-chat.ts";

export interface EmbeddingOptions {
  /** The name of the model on the server. */
  readonly model: string;
  /** The address of the server: with `/v1` at the end for the API of OpenAI, without it for Ollama. */
  readonly baseUrl: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly keys: Readonly<Record<string, string>>;
  /** The queue of the server. */
  readonly queue: ModelQueue;
  readonly http?: Http;
}

/** The vectors in the order of the texts, or a sentence that says why there are none. */
export type Embeddings =
  | { readonly ok: true; readonly vectors: readonly (readonly number[])[] }
  | { readonly ok: false; readonly problem: string };

export interface EmbeddingModel {
  /** The name of the model with the address of its server. */
  readonly model: string;
  /**
   * Resolves to the vectors that the server sent, or to a problem. Does not check that there is one vector for each text.
   * Waits until no request of a turn waits. Never rejects.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embeddings>;
}

/** A model may have to be loaded first. */
const limitMs = 120_000;

export function createEmbeddingModel(options: EmbeddingOptions): EmbeddingModel {
  const { model, queue, http = createNodeHttp() } = options;
  const base = options.baseUrl.replace(/\/+$/, "");
  const isOllama = !/\/v\d+$/.test(base);
  const url = isOllama ? `${base}/api/embed` : `${base}/embeddings`;
  const key = keyAt(base, options);
  return {
    model: `${model} at ${bareUrl(base)}`,
    async embed(texts, signal) {
      const leave = await queue.enter(signal, true);
      if (leave === undefined) return { ok: false, problem: "interrupted" };
      try {
        const request = {
          method: "POST",
          url,
          headers: headersOf(key),
          body: JSON.stringify({ model, input: texts }),
        } as const;
        const answer = await askJson(http, request, limitMs, { stop: signal });
        if (signal.aborted) return { ok: false, problem: "interrupted" };
        const vectors =
          answer.kind === "json" && answer.status === 200 ? readVectors(answer.value) : undefined;
        if (vectors !== undefined) return { ok: true, vectors };
        return { ok: false, problem: problemOf(noAnswer(answer, url, "not with embeddings"), key) };
      } finally {
        leave();
      }
    },
  };
}

/** Returns the key for embeddings, else that of the provider at this address; undefined if there is none. */
function keyAt(base: string, { environment, keys }: EmbeddingOptions): string | undefined {
  const origin = URL.canParse(base) ? new URL(base).origin : "";
  const provider = providers.find((row) => row.baseUrl !== "" && new URL(row.baseUrl).origin === origin);
  const places = [embeddingKeys, ...(provider === undefined ? [] : [provider])];
  return places.map((place) => keyFor(place, environment, keys)?.key).find((key) => key !== undefined);
}

/** Returns the reason without a full stop, because a sentence goes on after it. */
function problemOf({ message, status }: NoAnswer, key: string | undefined): string {
  const refused = status === 401 || status === 403;
  const advice = refused ? ` ${keyAdvice(embeddingKeys.keyVariables, key)}` : "";
  return `${message}${advice}`.replace(/\.$/, "");
}

function readVectors(value: unknown): readonly (readonly number[])[] | undefined {
  const answer = value as JsonValue;
  if (!isJsonObject(answer)) return undefined;
  const { embeddings, data } = answer;
  if (Array.isArray(embeddings)) return allVectors(embeddings);
  if (!Array.isArray(data)) return undefined;
  const rows = data.filter(isJsonObject);
  const sorted = rows.toSorted((one, other) => Number(one["index"] ?? 0) - Number(other["index"] ?? 0));
  return allVectors(sorted.map((row) => row["embedding"] ?? null));
}

function allVectors(values: readonly JsonValue[]): readonly (readonly number[])[] | undefined {
  const isVector = (value: JsonValue) =>
    Array.isArray(value) && value.every((part) => typeof part === "number");
  return values.every(isVector) ? (values as unknown as readonly (readonly number[])[]) : undefined;
}
