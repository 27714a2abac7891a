/** Reads short answers completely, such as error bodies and lists of models. */
import { errorText, fromStatus } from "../answer/failure.ts";
import type { Http, HttpFailure, HttpRequest, HttpResponse } from "./http.ts";
import { bareUrl } from "./secrets.ts";

/**
 * Returns the text of an answer, at most `maxChars` characters of it. If reading fails, returns the text that came
 * before the failure.
 */
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

/**
 * Requests one JSON value of at most `maxChars`. Gives up after `limitMs`, and when `stop` aborts; the answer then has the
 * kind `aborted`. Never rejects.
 */
export async function askJson(
  http: Http,
  request: HttpRequest,
  limitMs: number,
  { maxChars = maxJsonChars, stop }: { readonly maxChars?: number; readonly stop?: AbortSignal } = {},
): Promise<JsonAnswer> {
  const limit = AbortSignal.timeout(limitMs);
  const signal = stop === undefined ? limit : AbortSignal.any([limit, stop]);
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

/** Describes why a server did not give the expected answer about its models. */
export interface NoAnswer {
  /** A sentence for the person, without keys. */
  readonly message: string;
  /** The HTTP status; absent if no answer came. */
  readonly status?: number;
  /** True if the connection was refused, because no server listens at the address. */
  readonly notListening?: true;
  /** The server's message that it is still loading its model; absent if it is not loading. */
  readonly loading?: string;
}

/**
 * Converts an unexpected answer. `expected` is used for status 200 and ends the message, such as `not with a list of
 * models`.
 */
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
  return { message: answer.message, ...(answer.kind === "refused" ? { notListening: true } : {}) };
}
