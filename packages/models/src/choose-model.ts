/** Which of the models that were found is taken when nobody has said, and why: as a sentence for the person. */
import { findProvider, titleWithin } from "./catalog.ts";
import type { FoundModel, FoundServer, FoundServers, SilentPlace } from "./find-servers.ts";
import { bareUrl } from "./http/secrets.ts";

export interface Choice {
  readonly server: FoundServer;
  readonly model: FoundModel;
  /** A sentence: what was taken, from where, and why. */
  readonly reason: string;
}

export type Chosen =
  | { readonly ok: true; readonly choice: Choice }
  | { readonly ok: false; readonly message: string };

/**
 * A loaded model before one that has to be loaded, then one that calls tools natively, then the order of the servers
 * and, for Ollama, the model changed last.
 */
export function chooseModel({ servers, silent }: FoundServers): Chosen {
  const all = servers.flatMap((server) => server.models.map((model) => ({ server, model })));
  const able = all.filter(({ model }) => model.chats);
  const best = able.reduce<(typeof able)[number] | undefined>(
    (taken, one) => (taken === undefined || rank(one.model) > rank(taken.model) ? one : taken),
    undefined,
  );
  if (best === undefined)
    return { ok: false, message: servers.length === 0 ? nobody(silent) : noModel(servers) };
  return { ok: true, choice: { ...best, reason: reasonFor(best.server, best.model, able.length - 1) } };
}

function rank(model: FoundModel): number {
  const tools = model.canCallTools === true ? 2 : model.canCallTools === undefined ? 1 : 0;
  return (model.loaded ? 10 : 0) + tools;
}

function reasonFor(server: FoundServer, model: FoundModel, others: number): string {
  const loaded = model.loaded ? "it is loaded already" : "no model is loaded yet, and it fits best";
  const tools =
    model.canCallTools === true
      ? " and calls tools natively"
      : model.canCallTools === false
        ? "; it takes no tools natively, so they are described in its prompt"
        : "";
  const rest =
    others === 0
      ? "It is the only one found."
      : `${others} other${others === 1 ? "" : "s"} found; choose with --model.`;
  return `Using ${model.name} of ${titleWithin(server.title)} at ${bareUrl(server.baseUrl)}: ${loaded}${tools}. ${rest}`;
}

function nobody(silent: readonly SilentPlace[]): string {
  const [only, another] = silent;
  if (only?.named === true && another === undefined) return nobodyThere(only);
  const tried = silent.map((place) => `  ${silentText(place)}`);
  return [
    "No model server was found. Looked for:",
    ...tried,
    "Start one (for example: ollama serve, then: ollama pull qwen3), give --base-url,",
    "or try --model demo, which needs nothing.",
  ].join("\n");
}

/** At the one address that the person has named. */
function nobodyThere({ provider, baseUrl, reason, loading }: SilentPlace): string {
  const { title = provider, startHint } = findProvider(provider) ?? {};
  const where = `${title} at ${bareUrl(baseUrl)}`;
  const demo = "or try --model demo, which needs nothing.";
  if (loading !== undefined)
    return `${where} says "${loading}": it reads its model into memory. Wait until it is loaded,\n${demo}`;
  if (reason !== undefined)
    return [
      `${where} gave no list of models: ${reason}`,
      `Set that right, name the model where there is no list (--model NAME),\n${demo}`,
    ].join("\n");
  const how = startHint ?? "Start the server there.";
  return `${where} does not answer: nothing listens there.\n${how}\nOr give another address with --base-url, ${demo}`;
}

/** Who was asked where, and why nothing came of it. */
export function silentText({ provider, baseUrl, reason }: SilentPlace): string {
  return `${provider} at ${bareUrl(baseUrl)}${reason === undefined ? "" : `: ${reason}`}`;
}

function noModel(servers: readonly FoundServer[]): string {
  const where = servers.map((server) => `${server.title} at ${bareUrl(server.baseUrl)}`).join(", ");
  const ollama = servers.some((server) => server.provider === "ollama");
  const how = ollama ? "Get one with: ollama pull qwen3" : "Load one there";
  return `${where} runs but has no model to chat with. ${how}, or try --model demo.`;
}
