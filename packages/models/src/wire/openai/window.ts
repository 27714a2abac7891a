/** Asks for the context window of a running model. */
import { defined } from "@localharness/protocol";
import type { Http } from "../../http/http.ts";
import { listOpenaiModels } from "./models.ts";
import { readProps } from "./props.ts";

export interface AskedServer {
  readonly http: Http;
  /** The address up to and including the version, without a trailing slash. */
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly model: string;
  readonly llamaServer: boolean;
}

export interface ServedWindow {
  /** The number of tokens that one conversation can hold. */
  readonly tokens?: number;
  /** The number of conversations that the server holds at once. */
  readonly slots?: number;
}

const limitMs = 2_000;

/** Returns the window of the model; `{}` if the server does not say. Never rejects. */
export async function askWindow(server: AskedServer): Promise<ServedWindow> {
  if (!server.llamaServer) return askList(server);
  const told = await readProps(server.http, server.baseUrl, server.key, server.model, limitMs);
  if (told.kind !== "facts") return {};
  const { contextWindow: tokens, slots } = told.facts;
  return { ...defined({ tokens }), ...defined({ slots }) };
}

async function askList({ http, baseUrl, key, model }: AskedServer): Promise<ServedWindow> {
  const found = await listOpenaiModels(http, baseUrl, key, limitMs);
  const row = Array.isArray(found) ? found.find(({ name }) => name === model) : undefined;
  return row?.contextWindow === undefined ? {} : { tokens: row.contextWindow };
}

/**
 * The server is asked for its window only before a prompt of at least this many tokens. `nearby` is for a server on this
 * machine or its network. A shorter prompt fits into the smallest window that a model with tools has.
 */
const askedFrom = { nearby: 3_000, elsewhere: 24_000 };

/**
 * Returns a function that gets the size of a prompt and resolves to the context window, both in tokens; undefined if the
 * window is unknown. The function asks the server only once, at the first prompt that may be too long for a small window. It
 * never rejects.
 */
export function createServedWindow(
  server: () => AskedServer,
  isNearby: boolean,
): (tokens: number) => Promise<number | undefined> {
  let asked: Promise<ServedWindow> | undefined;
  return async (tokens) => {
    if (asked === undefined && tokens < (isNearby ? askedFrom.nearby : askedFrom.elsewhere)) return undefined;
    asked ??= askWindow(server());
    return (await asked).tokens;
  };
}

/** Returns the advice for a conversation that has filled the window. */
export function windowAdvice({ tokens, slots = 1 }: ServedWindow, llamaServer: boolean): string {
  const size = tokens === undefined ? "" : ` It holds ${tokens} tokens.`;
  if (!llamaServer) return `Start a new session, or load the model with a larger context.${size}`;
  const shared =
    slots > 1 ? `; its ${slots} slots share it, and --parallel 1 gives all of it to one conversation` : "";
  return `Start a new session, or start llama-server with a larger --ctx-size${shared}.${size}`;
}
