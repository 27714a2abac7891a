/** How large the window of a running model is, asked when an answer or a prompt has met its end. */
import { isJsonObject } from "@localharness/protocol";
import type { Http } from "../http/http.ts";
import { askJson } from "../http/read-answer.ts";
import { contextSize } from "../token-count.ts";
import { listOpenaiModels } from "./models.ts";

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
  return server.llamaServer ? askProps(server) : askList(server);
}

/** llama-server gives the window of one slot. */
async function askProps({ http, baseUrl, key }: AskedServer): Promise<ServedWindow> {
  const url = `${baseUrl.replace(/\/v\d+$/, "")}/props`;
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const answer = await askJson(http, { method: "GET", url, headers }, limitMs);
  if (answer.kind !== "json" || answer.status !== 200 || !isJsonObject(answer.value)) return {};
  const { default_generation_settings: settings, total_slots } = answer.value;
  const tokens =
    settings !== undefined && isJsonObject(settings) ? contextSize(settings["n_ctx"]) : undefined;
  const slots = contextSize(total_slots);
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
