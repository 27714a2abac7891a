/**
 * Converts errors of the AI SDK to failures. Recognizes the errors by name and shape, because `instanceof` fails if
 * there are several copies of the SDK.
 */
import { errorText, fromStatus, type ModelFailure, withUnread } from "../../answer/failure.ts";
import { readRetryAfter } from "../../http/retry.ts";
import { reasonOfBody } from "../../server-words/reason.ts";

/** Converts an error of the AI SDK to a failure. `who` names the model in messages. */
export function aiSdkFailure(error: unknown, who: string): ModelFailure {
  const message = messageOf(error, who);
  const status = field(error, "statusCode");
  if (typeof status === "number" && status >= 400) return refused(error, status, who);
  if (isRefusedConnection(error)) return { code: "connection-refused", message, retryable: true };
  switch (field(error, "name")) {
    case "AbortError":
      return { code: "aborted", message, retryable: false };
    case "TimeoutError":
      return { code: "timeout", message, retryable: true };
    case "AI_LoadAPIKeyError":
    case "AI_LoadSettingError":
      return { code: "unauthorized", message, retryable: false };
    case "AI_NoSuchModelError":
      return { code: "model-not-found", message, retryable: false };
    case "AI_InvalidPromptError":
    case "AI_InvalidArgumentError":
    case "AI_UnsupportedFunctionalityError":
      return { code: "bad-request", message, retryable: false };
    case "AI_APICallError":
      return { code: "server-error", message, retryable: field(error, "isRetryable") === true };
    default:
      return { code: "bad-response", message, retryable: false };
  }
}

function refused(error: unknown, status: number, who: string): ModelFailure {
  const body = field(error, "responseBody");
  const failure = withUnread(fromStatus(status, said(body) ?? messageOf(error, who), who), body);
  const headers = field(error, "responseHeaders");
  const after = field(headers, "retry-after");
  const retryAfterMs = typeof after === "string" ? readRetryAfter(after, Date.now()) : undefined;
  return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
}

function said(body: unknown): string | undefined {
  return typeof body !== "string" || body.trim() === "" ? undefined : reasonOfBody(body);
}

const noConnection = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

function isRefusedConnection(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < 5 && typeof cause === "object" && cause !== null; depth += 1) {
    const code = field(cause, "code");
    if (typeof code === "string" && (noConnection.has(code) || code.startsWith("UND_ERR_CONNECT"))) {
      return true;
    }
    cause = field(cause, "cause");
  }
  return false;
}

function messageOf(error: unknown, who: string): string {
  const text = error instanceof Error ? error.message : errorText(error);
  return `${who} failed: ${text ?? "no reason was given"}`;
}

function field(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
