/** Chooses one of the found models if none is configured, and explains the choice in a sentence. */
import { findProvider, titleWithin } from "./catalog.ts";
import type { FoundModel, FoundServer, FoundServers, SilentPlace } from "./find-servers.ts";
import { bareUrl } from "./http/secrets.ts";

export interface Choice {
  readonly server: FoundServer;
  readonly model: FoundModel;
  /** A sentence for the person: which model is used, from which server, and why. */
  readonly reason: string;
}

/** How the person named the model, in words for `Choice.reason`. */
export type Named = "as configured" | "as you chose";

export type Chosen =
  | { readonly ok: true; readonly choice: Choice }
  | { readonly ok: false; readonly message: string };

/**
 * Chooses a chat model. Prefers a loaded model, then a model with native tool calls, then the order of the servers,
 * then the order within a server (for Ollama, the model that was changed last comes first). `named` says how the person
 * named the model; absent if the person named none.
 */
export function chooseModel({ servers, silent }: FoundServers, named?: Named): Chosen {
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
  const tools = model.canCallTools === true ? 2 : model.canCallTools === undefined ? 1 : 0;
  return (model.loaded ? 10 : 0) + tools;
}

function reasonFor(server: FoundServer, model: FoundModel, others: number, named?: Named): string {
  const start = `Using ${model.name} of ${titleWithin(server.title)} at ${bareUrl(server.baseUrl)}`;
  const lack =
    model.canCallTools === false
      ? "; it has no native tool calls, so the tools are described in its prompt"
      : "";
  if (named !== undefined) return `${start}, ${named}${lack}.`;
  const loaded = model.loaded ? "it is loaded already" : "no model is loaded yet, and it fits best";
  const tools = model.canCallTools === true ? " and is said to call tools natively" : lack;
  const rest =
    others === 0
      ? "It is the only one found."
      : `${others} other${others === 1 ? "" : "s"} found; choose with --model.`;
  return `${start}: ${loaded}${tools}. ${rest}`;
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
