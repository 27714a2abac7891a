/** Holds the state of a strict server between requests: loading progress, the last prompt, the current model. */
import type { JsonObject } from "@localharness/protocol";
import { type LlamaServer, type ServerFacts, serverFacts } from "./llama-server.ts";
import { loadingRefusal, type Refused } from "./refusals.ts";
import { type Strictness, usualContext } from "./strictness.ts";
import { type KnownTemplate, knownTemplate, type Rendered, takeRequest, tokensOf } from "./take-request.ts";

export interface Reading extends Rendered {
  /** Number of leading tokens that are the same as in the previous accepted request; never all of them. */
  readonly cached: number;
}

export interface StrictDesk {
  readonly facts: ServerFacts;
  readonly server: LlamaServer;
  readonly contextTokens: number;
  readonly known: KnownTemplate;
  readonly strict: Strictness;
  readonly answers: number;
  /**
   * Called for any request before its body is read. Returns the refusal while the model loads, `dies` if the server crashes
   * after that, and undefined if the request is to be answered.
   */
  whileLoading(path: string): Refused | "dies" | undefined;
  isLoading(): boolean;
  read(api: "openai" | "ollama", body: JsonObject): Reading | Refused;
  answered(): void;
}

export function createStrictDesk(given: Strictness): StrictDesk {
  let answers = 0;
  let refused = 0;
  let last = "";
  const now = () => current(given, answers);
  const loading = () => given.loading !== undefined && refused < given.loading.requests;
  return {
    get strict() {
      return now();
    },
    get server() {
      return now().server ?? "2026-08";
    },
    get facts() {
      return serverFacts[now().server ?? "2026-08"];
    },
    get contextTokens() {
      return now().contextTokens ?? usualContext;
    },
    get known() {
      return knownTemplate(now().template, now().server);
    },
    get answers() {
      return answers;
    },
    isLoading: loading,
    whileLoading(path) {
      if (given.loading === undefined) return undefined;
      if (!loading()) return given.loading.afterwards;
      if (path === "/v1/models" && serverFacts[now().server ?? "2026-08"].listsWhileLoading) return undefined;
      refused += 1;
      return loadingRefusal;
    },
    read(api, body) {
      const taken = takeRequest(now(), api, body);
      if (taken.kind === "refused") return taken;
      const cached = tokensOf(taken.prompt.slice(0, sameStart(last, taken.prompt)));
      last = taken.prompt;
      // A server always evaluates the last token again.
      return { ...taken, cached: Math.min(cached, taken.tokens - 1) };
    },
    answered() {
      answers += 1;
    },
  };
}

function current(strict: Strictness, answers: number): Strictness {
  const { changesAfter } = strict;
  return changesAfter !== undefined && answers >= changesAfter.answers ? changesAfter.to : strict;
}

function sameStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}
