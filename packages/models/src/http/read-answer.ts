/** Reads short answers whole: error bodies, lists of models. */
import type { Http, HttpFailure, HttpRequest, HttpResponse } from "./http.ts";

/** The text of an answer, at most `maxChars` of it. What came before a failure is kept. */
export async function readText(response: HttpResponse, maxChars: number): Promise<string> {
  let text = "";
  for await (const part of response.parts) {
    if (typeof part !== "string") break;
    text += part;
    if (text.length >= maxChars) return text.slice(0, maxChars);
  }
  return text;
}

export type JsonAnswer =
  | { readonly kind: "json"; readonly status: number; readonly value: unknown }
  | { readonly kind: "no-json"; readonly status: number; readonly text: string }
  | HttpFailure;

const maxJsonChars = 16 * 1024 * 1024;

/** Asks for one JSON value. Gives up after `limitMs`; never rejects. */
export async function askJson(http: Http, request: HttpRequest, limitMs: number): Promise<JsonAnswer> {
  const signal = AbortSignal.timeout(limitMs);
  const answer = await http.send(request, signal);
  if (answer.kind !== "response") return answer;
  const text = await readText(answer, maxJsonChars);
  try {
    return { kind: "json", status: answer.status, value: JSON.parse(text) };
  } catch {
    return { kind: "no-json", status: answer.status, text };
  }
}
