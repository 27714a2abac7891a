/** Sends HTTP requests over sockets that stay open between requests. */
import type { IncomingMessage } from "node:http";
import { reasonOf } from "@localharness/protocol";
import { certificateAdvice } from "./certificate-advice.ts";
import type { Http, HttpFailure, HttpRequest, HttpResponse } from "./http.ts";
import { forwardedFailure } from "./proxy/forwarded-failure.ts";
import { ProxyProblem } from "./proxy/proxy.ts";
import { isSecure } from "./proxy/proxy-rules.ts";
import { openStoppable, type StoppableRequest } from "./stoppable-request.ts";
import type { Transport } from "./transport.ts";
import { createTransports } from "./transports.ts";
import { createWayOut, type Environment, type Resolve } from "./way-out.ts";

export interface NodeHttpOptions {
  /** The time limit for connecting in milliseconds, including name look-up and TLS. */
  readonly connectMs?: number;
  /** The maximum number of characters in one answer. A longer answer ends with the failure `unreadable`. */
  readonly maxAnswerChars?: number;
  /** The environment that may name a proxy; by default that of the process. */
  readonly environment?: Environment;
  /** Looks up the addresses of a name, to tell the servers of this network. By default the system does this. */
  readonly resolve?: Resolve;
}

const defaultConnectMs = 10_000;
const defaultMaxAnswerChars = 128 * 1024 * 1024;

/** Creates the client. Its idle connections to each origin stay open, but they do not keep the process alive. */
export function createNodeHttp(options: NodeHttpOptions = {}): Http {
  const transports = createTransports({ keepAlive: true });
  const wayOut = createWayOut(options.environment ?? process.env, options.resolve);
  const connectMs = options.connectMs ?? defaultConnectMs;
  const maxAnswerChars = options.maxAnswerChars ?? defaultMaxAnswerChars;
  const attempt = (
    request: HttpRequest,
    signal: AbortSignal,
    transport: Transport,
    onConnected?: () => void,
  ) =>
    new Promise<HttpResponse | HttpFailure | "stale">((resolve) => {
      if (signal.aborted) return resolve(aborted());
      const opened = open(request, transport);
      const { outgoing } = opened;
      const stopWaiting = limitConnect(opened, connectMs, onConnected);
      const abort = () => opened.stop(new Error("aborted"));
      signal.addEventListener("abort", abort, { once: true });
      const settle = () => {
        stopWaiting();
        signal.removeEventListener("abort", abort);
      };
      outgoing.once("response", (incoming) => {
        stopWaiting();
        // A server that refuses a request may leave its body unread, and would read the next request as the rest of
        // that body.
        if (!isSuccess(incoming)) outgoing.shouldKeepAlive = false;
        incoming.once("close", settle);
        const ofProxy = forwardedFailure(transport, originOf(request), incoming);
        if (ofProxy !== undefined) {
          incoming.resume();
          return resolve(ofProxy);
        }
        resolve(respond(request, incoming, signal, maxAnswerChars));
      });
      outgoing.once("error", (told: NodeJS.ErrnoException) => {
        settle();
        const error = opened.reasonFor(told);
        const stale = outgoing.reusedSocket && error.code === "ECONNRESET" && !signal.aborted;
        resolve(stale ? "stale" : failureOf(error, request, transport, signal, connectMs));
      });
      // If the server switches to another protocol, there is neither an answer nor an error, and only this event
      // resolves the promise.
      outgoing.once("close", () => {
        settle();
        resolve(signal.aborted ? aborted() : dropped(request));
      });
      outgoing.end(request.body);
    });
  return {
    async send(request, signal, onConnected) {
      try {
        const url = new URL(request.url);
        const transport = await transports.to(isSecure(url), await wayOut(url));
        // The server may have closed an open connection a moment before. That is not a failure, so the request is sent
        // again.
        for (;;) {
          const answer = await attempt(request, signal, transport, onConnected);
          if (answer !== "stale") return answer;
        }
      } catch (error) {
        if (error instanceof ProxyProblem) return problemOf(error);
        return notSent(request, error);
      }
    },
  };
}

function open(request: HttpRequest, transport: Transport): StoppableRequest {
  const { method, body } = request;
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const headers = { ...request.headers, ...length };
  return openStoppable(transport, new URL(request.url), { method, headers });
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode <= 299;
}

class ConnectTimeout extends Error {}

function limitConnect(
  { outgoing, stop: end }: StoppableRequest,
  connectMs: number,
  onConnected?: () => void,
): () => void {
  const timer = setTimeout(() => end(new ConnectTimeout("connect")), connectMs);
  const stop = () => clearTimeout(timer);
  const connected = () => {
    stop();
    onConnected?.();
  };
  outgoing.once("socket", (socket) => {
    if (!socket.connecting) connected();
    else socket.once(outgoing.protocol === "https:" ? "secureConnect" : "connect", connected);
  });
  return stop;
}

function respond(
  request: HttpRequest,
  incoming: IncomingMessage,
  signal: AbortSignal,
  maxAnswerChars: number,
): HttpResponse {
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
  const parts = readParts(request, incoming, signal, maxAnswerChars);
  return { kind: "response", status: incoming.statusCode ?? 0, headers, parts };
}

async function* readParts(
  request: HttpRequest,
  incoming: IncomingMessage,
  signal: AbortSignal,
  maxAnswerChars: number,
): AsyncGenerator<string | HttpFailure> {
  const encoding = incoming.headers["content-encoding"]?.trim() ?? "";
  if (!/^(identity)?$/i.test(encoding)) {
    incoming.destroy();
    yield unreadable(
      `${originOf(request)} answered with content-encoding ${encoding}, which was not asked for.`,
    );
    return;
  }
  incoming.setEncoding("utf8");
  let chars = 0;
  try {
    for await (const chunk of incoming) {
      chars += chunk.length;
      if (chars > maxAnswerChars) {
        yield unreadable(
          `The answer of ${originOf(request)} is longer than ${maxAnswerChars} characters; it was cut off.`,
        );
        return;
      }
      yield chunk;
    }
    // An answer without a stated length ends when its connection ends, so an aborted answer would look complete.
    if (signal.aborted) yield aborted();
  } catch {
    yield signal.aborted ? aborted() : dropped(request);
  }
}

function failureOf(
  error: NodeJS.ErrnoException,
  request: HttpRequest,
  { proxy }: Transport,
  signal: AbortSignal,
  connectMs: number,
): HttpFailure {
  if (signal.aborted) return aborted();
  const origin = originOf(request);
  if (error instanceof ProxyProblem) return problemOf(error);
  if (error instanceof ConnectTimeout) {
    const through = proxy === undefined ? "" : ` through the proxy ${proxy.address} (${proxy.variable})`;
    return {
      kind: "connect-timeout",
      message: `No connection to ${origin}${through} within ${connectMs} ms.`,
    };
  }
  const advice = certificateAdvice(error, origin);
  if (advice !== undefined) return { kind: "certificate", message: advice };
  switch (error.code) {
    case "ECONNREFUSED":
      return { kind: "refused", message: `Nothing listens at ${origin} (connection refused).` };
    case "ECONNRESET":
    case "EPIPE":
      return dropped(request);
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return { kind: "unreachable", message: `The host of ${origin} was not found (${error.code}).` };
    default:
      if (error.code?.startsWith("HPE_")) {
        return unreadable(`${origin} sent something that is not HTTP (${error.code}).`);
      }
      return {
        kind: "unreachable",
        message: `${origin} cannot be reached (${error.code ?? error.message}).`,
      };
  }
}

function problemOf({ message, mayPass }: ProxyProblem): HttpFailure {
  return { kind: mayPass ? "proxy" : "proxy-refused", message };
}

/** Returns the failure for a URL or header that Node refuses. Node's message names the header, but not its value. */
function notSent(request: HttpRequest, error: unknown): HttpFailure {
  const why = reasonOf(error);
  const advice = /"authorization"/i.test(why) ? " The key contains an invalid character: copy it again." : "";
  return { kind: "local", message: `A request to ${originOf(request)} cannot be sent: ${why}.${advice}` };
}

function aborted(): HttpFailure {
  return { kind: "aborted", message: "The request was aborted." };
}

function dropped(request: HttpRequest): HttpFailure {
  return {
    kind: "dropped",
    message: `${originOf(request)} closed the connection before the answer was complete.`,
  };
}

function unreadable(message: string): HttpFailure {
  return { kind: "unreadable", message };
}

/** Returns only the origin, because the path and the user part may contain a secret. */
function originOf(request: { readonly url: string }): string {
  return URL.canParse(request.url) ? new URL(request.url).origin : "the address";
}
