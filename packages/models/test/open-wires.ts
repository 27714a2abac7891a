/** Opens a model on each wire API, for tests of what all of them share. */
import type { Model } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import { createOllamaChat, createOpenaiChat } from "../src/index.ts";
import { createTestHttp } from "./test-request.ts";

export const key = "sk-very-secret-key";
export const quick = { retry: { firstWaitMs: 5, maxWaitMs: 40 }, random: () => 0.5, key };

export function openai(baseUrl: string, more: object = {}): Model {
  const base = { provider: "custom", title: "Test", model: "fake-model", http: createTestHttp(), ...quick };
  return createOpenaiChat({ ...base, baseUrl, ...more });
}

export function ollama(origin: string, more: object = {}): Model {
  const base = { provider: "ollama", title: "Ollama", model: "fake-model", http: createTestHttp(), ...quick };
  return createOllamaChat({ ...base, origin, ...more });
}

export const wires = [
  { name: "openai", connect: (server: { baseUrl: string }, more?: object) => openai(server.baseUrl, more) },
  { name: "ollama", connect: (server: { origin: string }, more?: object) => ollama(server.origin, more) },
];

export function types(events: readonly ModelEvent[]): string[] {
  return events.map((event) => event.type).filter((type) => type !== "usage");
}

export function lastOf(events: readonly ModelEvent[]): Extract<ModelEvent, { type: "model-error" }> {
  const last = events.at(-1);
  if (last?.type !== "model-error") throw new Error(`expected model-error, got ${JSON.stringify(last)}`);
  return last;
}
