/** Recognises that a server over HTTP no longer knows the session of a connection, as after its restart. */
import { SdkHttpError } from "@modelcontextprotocol/client";

/** Any answer of these statuses to a request with a session id means that the session is gone (404 by the protocol). */
const gone = new Set([404, 410]);
/** Many servers answer 400 to an unknown session id. Their words tell it from other mistakes. */
const saysSession = /\bsession(?:id|s)?\b/i;

/**
 * Returns true if the server refused this very request because it does not know the session. It then did not read the
 * request, which may be sent again in a new session.
 */
export function isSessionLost(error: unknown): boolean {
  const refusal = refusalOf(error);
  if (refusal === undefined) return false;
  return gone.has(refusal.status) || (refusal.status === 400 && saysSession.test(refusal.words));
}

function refusalOf(error: unknown): { readonly status: number; readonly words: string } | undefined {
  if (error instanceof SdkHttpError) {
    return { status: error.status ?? 0, words: error.message };
  }
  // The transport for server-sent events has no class for this error.
  const [, status, words = ""] =
    error instanceof Error
      ? (/^Error POSTing to endpoint \(HTTP (\d+)\): (.*)/s.exec(error.message) ?? [])
      : [];
  return status === undefined ? undefined : { status: Number(status), words };
}
