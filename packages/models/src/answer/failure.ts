/** Converts the failures of model calls to the engine's error codes. */
import type { ModelErrorCode } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import type { HttpFailure } from "../http/http.ts";
import { isTemplateRefusal } from "../request/profile/habits.ts";
import { isOverflow } from "../server-words/overflow.ts";
import { type ParserFailure, parserFailure } from "../server-words/parser-failure.ts";
import { maxJsonLevels } from "./json-depth.ts";

export { errorText, looksLikeHtml, maxErrorChars } from "../server-words/reason.ts";

export interface ModelFailure {
  readonly code: ModelErrorCode;
  readonly message: string;
  /** True if the same request may succeed a little later. */
  readonly retryable: boolean;
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** The server's own message. It may contain a key, so it must be masked before it is shown or stored. */
  readonly said?: string;
  /** Present if the server could not read its model's answer. */
  readonly unread?: ParserFailure;
  /** True if the server is still loading the model. The caller waits for it and does not count the try as failed. */
  readonly loading?: true;
}

/** Converts a network failure to a model failure. */
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
    case "proxy":
    case "dropped":
      return { code: "server-error", message, retryable: true };
    case "local":
      return { code: "bad-request", message, retryable: false };
    case "proxy-refused":
    case "certificate":
    case "unreadable":
      return { code: "bad-response", message, retryable: false };
  }
}

const noTools =
  /does not support (tools|tool|function)|tools? (is|are) not supported|tool use is not supported|endpoints found that support tool use|requires? --jinja|enable-auto-tool-choice/i;
const loading = /loading model|model is (still )?loading/i;
/** The HTTP statuses with which a template's refusal comes. llama.cpp uses 500, and since 2026 also 400. */
const templateStatus = new Set([400, 422, 500]);
/**
 * Matches Ollama's message for a model that repeats itself. Such a request is not retried, because the model would
 * repeat itself again.
 */
const repeatsItself = /token repeat limit/i;
const retryableStatus = new Set([408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529]);

/**
 * Converts an HTTP status to a model failure. `said` is the server's message, which becomes a part of the failure's message;
 * `who` names the server in messages.
 */
export function fromStatus(status: number, said: string, who: string): ModelFailure {
  const words = said === "" ? "." : `: ${said}${/[.!?]$/.test(said) ? "" : "."}`;
  const message = `${who} answered ${status}${words}`;
  const base = { message, status, said, retryable: retryableStatus.has(status) };
  if (status === 401 || status === 403) return { ...base, code: "unauthorized" };
  if (isOverflow(status, said)) return { ...base, code: "context-overflow", retryable: false };
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

/** Adds to the failure what its body says of an answer of the model that the server could not read. */
export function withUnread(failure: ModelFailure, body: unknown): ModelFailure {
  const isOther = failure.code !== "bad-request" && failure.code !== "server-error";
  const unread = isOther || failure.loading === true ? undefined : parserFailure(body);
  return unread === undefined ? failure : { ...failure, unread };
}

/** Returns the failure for a server that stopped the model because it repeated the same text. */
export function repetition(who: string, said: string, status?: number): ModelFailure {
  const message = `${who} stopped the model because it repeated the same text (${said}). Ask again in other words or in a new session; if it happens often, use a higher repeat_penalty or a larger quantization of the model.`;
  return { code: "bad-response", message, retryable: false, ...defined({ status }) };
}

/** Returns true if the field reports an error. Some servers send an empty error field with every part of an answer. */
export function saysError(field: unknown): boolean {
  return field !== undefined && field !== null && field !== false && field !== "";
}

export function tooDeep(who: string): string {
  return `${who} sent JSON that is nested more than ${maxJsonLevels} levels deep, which cannot be read.`;
}
