/** Reads short answers whole: error bodies, lists of models. */
import { errorText, fromStatus } from "../failure.ts";
import type { Http, HttpFailure, HttpRequest, HttpResponse } from "./http.ts";
import { bareUrl } from "./secrets.ts";

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

/** Asks for one JSON value of at most `maxChars`. Gives up after `limitMs`; never rejects. */
export async function askJson(
  http: Http,
  request: HttpRequest,
  limitMs: number,
  maxChars = maxJsonChars,
): Promise<JsonAnswer> {
  const signal = AbortSignal.timeout(limitMs);
  const answer = await http.send(request, signal);
  const late = {
    kind: "aborted",
    message: `${bareUrl(request.url)} gave no answer within ${limitMs} ms.`,
  } as const;
  if (answer.kind !== "response") return answer.kind === "aborted" ? late : answer;
  const text = await readText(answer, maxChars);
  if (signal.aborted) return late;
  try {
    return { kind: "json", status: answer.status, value: JSON.parse(text) };
  } catch {
    return { kind: "no-json", status: answer.status, text };
  }
}

/** Why a server did not say which models it has. */
export interface NoAnswer {
  /** A sentence, without any key. */
  readonly message: string;
  /** Of the answer that was not as expected. */
  readonly status?: number;
  /** Nothing listens there. */
  readonly nobody?: true;
  /** It reads its model into memory, in its own words: it will answer later. */
  readonly loading?: string;
}

/** `expected` ends the sentence on an answer of another kind: `not with a list of models`. */
export function noAnswer(answer: JsonAnswer, url: string, expected: string): NoAnswer {
  if (answer.kind === "json" || answer.kind === "no-json") {
    const { status } = answer;
    const failure = fromStatus(
      status,
      answer.kind === "json" ? (errorText(answer.value) ?? "") : "",
      bareUrl(url),
    );
    if (failure.loading) return { message: failure.message, status, loading: failure.said ?? "" };
    const but = status === 200 ? `, but ${expected}` : "";
    return { message: `${bareUrl(url)} answered ${status}${but}.`, status };
  }
  return { message: answer.message, ...(answer.kind === "refused" ? { nobody: true } : {}) };
}
