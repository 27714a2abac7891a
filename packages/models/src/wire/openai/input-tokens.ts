/** Asks llama-server how many tokens a request has, including template, tools and images. */
import { isJsonObject } from "@localharness/protocol";
import { tokenCount } from "../../answer/token-count.ts";
import type { Http, HttpRequest } from "../../http/http.ts";
import { readText } from "../../http/read-answer.ts";

const maxChars = 64 * 1024;

/**
 * Returns the count from an answer such as `{"object":"response.input_tokens","input_tokens":123}`. Returns undefined for
 * any other answer, and if none comes. Never rejects.
 */
export async function askInputTokens(
  http: Http,
  chat: HttpRequest,
  signal: AbortSignal,
): Promise<number | undefined> {
  const answer = await http.send({ ...chat, url: `${chat.url}/input_tokens` }, signal);
  if (answer.kind !== "response") return undefined;
  // A refusal is also read, because an unread body keeps its connection busy.
  const text = await readText(answer, maxChars);
  if (answer.status !== 200) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    return isJsonObject(body) ? tokenCount(body["input_tokens"]) : undefined;
  } catch {
    return undefined;
  }
}
