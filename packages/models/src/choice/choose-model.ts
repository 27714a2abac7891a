/** Chooses one of the found models if none is configured, and explains the choice in a sentence. */
import { countText } from "@localharness/protocol";
import { bareUrl } from "../http/secrets.ts";
import { habitsOfTemplate } from "../request/profile/habits.ts";
import { findProvider, titleWithin } from "./catalog.ts";
import type { FoundModel, FoundServer, FoundServers, SilentPlace } from "./find-servers.ts";
import { saidOfCallsText } from "./native-calls-text.ts";

export interface FoundChoice {
  readonly server: FoundServer;
  readonly model: FoundModel;
  /** A sentence for the person: which model is used, from which server, and why. */
  readonly reason: string;
}

/** How the person named the model, in words for `FoundChoice.reason`. */
export type NamedBy = "as configured" | "as you chose";

export type Chosen =
  | { readonly ok: true; readonly choice: FoundChoice }
  | { readonly ok: false; readonly message: string };

/**
 * Chooses a chat model. Prefers a loaded model, then a model with native tool calls, then the order of the servers,
 * then the order within a server (for Ollama, the model that was changed last comes first). `named` says how the person
 * named the model; absent if the person named none.
 */
export function chooseModel({ servers, silent }: FoundServers, named?: NamedBy): Chosen {
  const all = servers.flatMap((server) => server.models.map((model) => ({ server, model })));
  const able = all.filter(({ model }) => model.chats);
  const best = able.reduce<(typeof able)[number] | undefined>(
    (taken, one) => (taken === undefined || rank(one.model) > rank(taken.model) ? one : taken),
    undefined,
  );
  if (best === undefined) {
    return { ok: false, message: servers.length === 0 ? noServer(silent) : noModel(servers) };
  }
  const reason = reasonFor(best.server, best.model, able.length - 1, named);
  return { ok: true, choice: { ...best, reason } };
}

function rank(model: FoundModel): number {
  const calls = callsTools(model);
  const tools = calls === true ? 2 : calls === undefined ? 1 : 0;
  return (model.loaded ? 10 : 0) + tools;
}

/**
 * Returns true if the server says that the model calls tools; false if it says the opposite, or if the chat template has no
 * place for tools; undefined if it says nothing.
 */
export function callsTools({ canCallTools, template = "", capabilities }: FoundModel): boolean | undefined {
  return habitsOfTemplate(template, capabilities).includes("no-tools") ? false : canCallTools;
}

function reasonFor(server: FoundServer, model: FoundModel, others: number, named?: NamedBy): string {
  const start = `Using ${model.name} of ${titleWithin(server.title)} at ${bareUrl(server.baseUrl)}`;
  const calls = callsTools(model);
  if (named !== undefined) return `${start}, ${named}${calls === false ? saidOfCallsText(calls) : ""}.`;
  const loaded = loadedText(model);
  const rest =
    others === 0 ? "It is the only one found." : `${countText(others, "other")} found; choose with --model.`;
  return `${start}: ${loaded}${saidOfCallsText(calls)}. ${rest}`;
}

/** Returns why the model was chosen, and claims no more than its server says. */
function loadedText({ loaded, isLoadedAssumed }: FoundModel): string {
  if (isLoadedAssumed === true) return "its server lists it";
  return loaded ? "it is loaded already" : "no model is loaded yet, and it fits best";
}

function noServer(silent: readonly SilentPlace[]): string {
  const [only, another] = silent;
  if (only?.named === true && another === undefined) return noAnswerFrom(only);
  const tried = silent.map((place) => `  ${silentText(place)}`);
  return [
    "No model server was found. Looked for:",
    ...tried,
    "Start one (for example: ollama serve, then: ollama pull qwen3), give --base-url,",
    "or try --model demo, which needs no server.",
  ].join("\n");
}

/** Returns the message for a search at a single address, which the person has given. */
function noAnswerFrom({ provider, baseUrl, reason, loading }: SilentPlace): string {
  const { title = provider, startHint } = findProvider(provider) ?? {};
  const where = `${title} at ${bareUrl(baseUrl)}`;
  const demo = "or try --model demo, which needs no server.";
  if (loading !== undefined) {
    return `${where} is still loading its model ("${loading}"). Wait until it is loaded,\n${demo}`;
  }
  if (reason !== undefined) {
    return [
      `${where} gave no list of models: ${reason}`,
      `Correct this, or give the model's name with --model NAME if the server has no list,\n${demo}`,
    ].join("\n");
  }
  const how = startHint ?? "Start the server there.";
  return `${where} does not answer: nothing listens there.\n${how}\nOr give another address with --base-url, ${demo}`;
}

/** Returns the provider and the address of a place that gave no list of models, and the reason if it is known. */
export function silentText({ provider, baseUrl, reason }: SilentPlace): string {
  return `${provider} at ${bareUrl(baseUrl)}${reason === undefined ? "" : `: ${reason}`}`;
}

function noModel(servers: readonly FoundServer[]): string {
  const where = servers.map((server) => `${server.title} at ${bareUrl(server.baseUrl)}`).join(", ");
  const ollama = servers.some((server) => server.provider === "ollama");
  const how = ollama ? "Get one with: ollama pull qwen3" : "Load one there";
  return `${where} runs but has no model to chat with. ${how}, or try --model demo.`;
}
