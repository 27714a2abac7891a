/** What went wrong with a model call, as the engine will hear of it. */
import type { ModelErrorCode } from "@localharness/protocol";
import type { HttpFailure } from "./http/http.ts";
import { innerMessage } from "./inner-message.ts";
import { mostJsonLevels } from "./json-depth.ts";
import { isTemplateRefusal } from "./profile/habits.ts";

export interface ModelFailure {
  readonly code: ModelErrorCode;
  readonly message: string;
  /** The same request may succeed a little later. */
  readonly retryable: boolean;
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** The server's own words, without any key. */
  readonly said?: string;
  /** The server reads the model into memory: it is waited for, however often it says so. */
  readonly loading?: true;
}

/** What the network did, in the engine's words. */
export function fromHttp(failure: HttpFailure): ModelFailure {
  const { message } = failure;
  switch (failure.kind) {
    case "aborted":
      return { code: "aborted", message, retryable: false };
    case "refused":
    case "unreachable":
      return { code: "connection-refused", message, retryable: true };
    case "connect-timeout":
      return { code: "timeout", message, retryable: true };
    case "dropped":
      return { code: "server-error", message, retryable: true };
    case "local":
      return { code: "bad-request", message, retryable: false };
    case "unreadable":
      return { code: "bad-response", message, retryable: false };
  }
}

const overflow =
  /context[ _-]?(length|window|size|limit)|maximum context|too many tokens|prompt is too long|input is too long|exceeds? the (available |maximum )?(context|number of tokens)|reduce the length|max(imum)? (input|prompt) length/i;
const noTools =
  /does not support (tools|tool|function)|tools? (is|are) not supported|tool use is not supported|endpoints found that support tool use|requires? --jinja|enable-auto-tool-choice/i;
const loading = /loading model|model is (still )?loading/i;
/** llama.cpp answers a template's refusal with 500, from 2026 on with 400. */
const templateStatus = new Set([400, 422, 500]);
/** What stopped a model that writes the same again and again would only stop it again. */
const repeatsItself = /token repeat limit/i;
const retryableStatus = new Set([408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529]);

/** What a status and the server's own words mean. `said` is the server's message, without any key. */
export function fromStatus(status: number, said: string, who: string): ModelFailure {
  const words = said === "" ? "." : `: ${said}${/[.!?]$/.test(said) ? "" : "."}`;
  const message = `${who} answered ${status}${words}`;
  const base = { message, status, said, retryable: retryableStatus.has(status) };
  if (status === 401 || status === 403) return { ...base, code: "unauthorized" };
  if (overflow.test(said) && status !== 429) return { ...base, code: "context-overflow", retryable: false };
  if (repeatsItself.test(said)) return repetition(who, said, status);
  if (noTools.test(said)) return { ...base, code: "tools-unsupported", retryable: false };
  if (status === 503 && loading.test(said)) return { ...base, code: "server-error", loading: true };
  if (templateStatus.has(status) && isTemplateRefusal(said)) {
    return { ...base, code: "bad-request", retryable: false };
  }
  if (status === 404 || (status === 400 && /model .*(not found|does not exist)/i.test(said))) {
    return { ...base, code: "model-not-found" };
  }
  if (status === 429) return { ...base, code: "rate-limited" };
  if (status >= 500 || status === 408 || status === 425) return { ...base, code: "server-error" };
  if (status >= 400) return { ...base, code: "bad-request" };
  return { ...base, code: "bad-response" };
}

/** The server has stopped a model that wrote one piece of text over and over. */
export function repetition(who: string, said: string, status?: number): ModelFailure {
  const message = `${who} stopped the model, which wrote the same again and again (${said}). Ask again in other words or in a new session; where it happens often, a higher repeat_penalty or a larger quantization of the model helps.`;
  return { code: "bad-response", message, retryable: false, ...(status === undefined ? {} : { status }) };
}

/** A server's words may be a whole page; the beginning says what is wrong. */
export const mostErrorChars = 1_000;

/**
 * The server's own message in an error body: `{"error":"..."}`, `{"error":{"message":...}}`, `{"message":...}`. At most
 * 1,000 characters of it, and none from deeper than `levels`.
 */
export function errorText(body: unknown, levels = 8): string | undefined {
  if (typeof body === "string") return body === "" || levels === 0 ? undefined : innerText(body, levels);
  if (typeof body !== "object" || body === null || levels === 0) return undefined;
  if (Array.isArray(body)) return errorText(body[0], levels - 1);
  for (const key of ["error", "message", "detail"]) {
    const value: unknown = Reflect.get(body, key);
    const text = value === undefined || value === null ? undefined : errorText(value, levels - 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

function innerText(text: string, levels: number): string {
  return innerMessage(text, (inner) => errorText(inner, levels - 1)).slice(0, mostErrorChars);
}

/** Some servers send the field with every part of an answer, with nothing in it. */
export function saysError(field: unknown): boolean {
  return field !== undefined && field !== null && field !== false && field !== "";
}

export function tooDeep(who: string): string {
  return `${who} sent JSON that is nested more than ${mostJsonLevels} levels deep, which cannot be read.`;
}

/** A page instead of data: a wrong address, a proxy's login. */
export function looksLikeHtml(text: string): boolean {
  return /^\s*<(!doctype|html|head|body)/i.test(text.slice(0, 200));
}
