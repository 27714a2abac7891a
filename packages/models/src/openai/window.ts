/** How large the window of a running model is, asked when an answer or a prompt has met its end. */
import type { Http } from "../http/http.ts";
import { listOpenaiModels } from "./models.ts";
import { readProps } from "./props.ts";

export interface AskedServer {
  readonly http: Http;
  /** Up to and including the version. */
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly model: string;
  readonly llamaServer: boolean;
}

export interface ServedWindow {
  /** Tokens of one conversation. */
  readonly tokens?: number;
  /** Conversations that the server holds side by side. */
  readonly slots?: number;
}

const limitMs = 2_000;

/** Never rejects; empty where the server does not say. */
export async function askWindow(server: AskedServer): Promise<ServedWindow> {
  if (!server.llamaServer) return askList(server);
  const told = await readProps(server.http, server.baseUrl, server.key, server.model, limitMs);
  if (told.kind !== "facts") return {};
  const { contextWindow: tokens, slots } = told.facts;
  return { ...(tokens === undefined ? {} : { tokens }), ...(slots === undefined ? {} : { slots }) };
}

async function askList({ http, baseUrl, key, model }: AskedServer): Promise<ServedWindow> {
  const found = await listOpenaiModels(http, baseUrl, key, limitMs);
  const row = Array.isArray(found) ? found.find(({ name }) => name === model) : undefined;
  return row?.contextWindow === undefined ? {} : { tokens: row.contextWindow };
}

/** What to do where a conversation fills the window. */
export function windowAdvice({ tokens, slots = 1 }: ServedWindow, llamaServer: boolean): string {
  const size = tokens === undefined ? "" : ` It holds ${tokens} tokens.`;
  if (!llamaServer) return `Start a new session, or load the model with a larger context.${size}`;
  const shared =
    slots > 1
      ? `; its ${slots} slots share that, so that --parallel 1 leaves all of it to one conversation`
      : "";
  return `Start a new session, or start llama-server with a larger --ctx-size${shared}.${size}`;
}
