/** Tells an answer of the proxy itself from an answer of the server, for requests that the proxy gets whole. */
import type { IncomingMessage } from "node:http";
import type { HttpFailure } from "../http.ts";
import type { Transport } from "../transport.ts";
import { proxyName } from "./proxy.ts";
import { signInProblem } from "./sign-in-problem.ts";

/** The statuses with which proxies refuse a request, or say that they do not reach the server. */
const passing = new Set([502, 503, 504]);
const refusing = new Set([403, 451]);

/**
 * Returns the failure if the proxy answered in place of the server: with status 407, or with a web page and a status of
 * proxies. Model servers send no pages.
 */
export function forwardedFailure(
  { proxy, forwards }: Transport,
  origin: string,
  { statusCode: status = 0, headers, rawHeaders }: IncomingMessage,
): HttpFailure | undefined {
  if (proxy === undefined || forwards !== true) return undefined;
  if (status === 407) {
    const lines = rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ${rawHeaders[at + 1] ?? ""}` : ""));
    return { kind: "proxy-refused", message: signInProblem(proxy, lines.join("\n")).message };
  }
  if (!/^text\/html/i.test(headers["content-type"] ?? "")) return undefined;
  const who = `${proxyName(proxy)} answered ${status} with a web page`;
  if (passing.has(status)) return { kind: "proxy", message: `${who}: it did not reach ${origin}.` };
  if (!refusing.has(status)) return undefined;
  const advice = `If ${new URL(origin).hostname} is reached without the proxy, add it to NO_PROXY.`;
  return {
    kind: "proxy-refused",
    message: `${who}: it does not let requests to ${origin} through. ${advice}`,
  };
}
