/** How many tokens a request would be, as llama-server counts them: template, tools and images included. */
import { isJsonObject } from "@localharness/protocol";
import type { Http, HttpRequest } from "../http/http.ts";
import { readText } from "../http/read-answer.ts";
import { tokenCount } from "../token-count.ts";

const mostChars = 64 * 1024;

/** `{"object":"response.input_tokens","input_tokens":123}`; undefined from a server that knows no such address, or refuses. */
export async function askInputTokens(
  http: Http,
  chat: HttpRequest,
  signal: AbortSignal,
): Promise<number | undefined> {
  const answer = await http.send({ ...chat, url: `${chat.url}/input_tokens` }, signal);
  if (answer.kind !== "response") return undefined;
  // Also of a refusal: what is not read holds its connection.
  const text = await readText(answer, mostChars);
  if (answer.status !== 200) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    return isJsonObject(body) ? tokenCount(body["input_tokens"]) : undefined;
  } catch {
    return undefined;
  }
}
