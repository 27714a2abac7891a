/** Sends HTTP requests over sockets that stay open between requests. */
import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { reasonOf } from "@localharness/protocol";
import type { Http, HttpFailure, HttpRequest, HttpResponse } from "./http.ts";

export interface NodeHttpOptions {
  /** The time limit for connecting in milliseconds, including name look-up and TLS. */
  readonly connectMs?: number;
  /** The maximum number of characters in one answer. A longer answer ends with the failure `unreadable`. */
  readonly maxAnswerChars?: number;
}

const defaultConnectMs = 10_000;
const defaultMaxAnswerChars = 128 * 1024 * 1024;

/** Creates the client. Its idle connections to each origin stay open, but they do not keep the process alive. */
export function createNodeHttp(options: NodeHttpOptions = {}): Http {
  const transportFor = createTransports();
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
      const outgoing = open(request, transport);
      const stopWaiting = limitConnect(outgoing, connectMs, onConnected);
      const abort = () => outgoing.destroy(new Error("aborted"));
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
        resolve(respond(request, incoming, signal, maxAnswerChars));
      });
      outgoing.once("error", (error: NodeJS.ErrnoException) => {
        settle();
        const stale = outgoing.reusedSocket && error.code === "ECONNRESET" && !signal.aborted;
        resolve(stale ? "stale" : failureOf(error, request, signal, connectMs));
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
        const transport = await transportFor(request.url);
        // The server may have closed an open connection a moment before. That is not a failure, so the request is sent
        // again.
        for (;;) {
          const answer = await attempt(request, signal, transport, onConnected);
          if (answer !== "stale") return answer;
        }
      } catch (error) {
        return notSent(request, error);
      }
    },
  };
}

/** The request function of a scheme, with the agent that keeps its connections. */
interface Transport {
  readonly request: typeof requestHttp;
  readonly agent: Agent;
}

/**
 * Returns a function that returns the transport for a URL. TLS is loaded at the first https URL, because loading takes
 * 8 ms.
 */
function createTransports(): (url: string) => Promise<Transport> {
  let plain: Transport | undefined;
  let tls: Transport | undefined;
  return async (url) => {
    if (!url.startsWith("https:")) {
      plain ??= { request: requestHttp, agent: new Agent({ keepAlive: true }) };
      return plain;
    }
    const https = await import("node:https");
    tls ??= { request: https.request, agent: new https.Agent({ keepAlive: true }) };
    return tls;
  };
}

function open(request: HttpRequest, transport: Transport): ClientRequest {
  const { method, body } = request;
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const headers = { ...request.headers, ...length };
  return transport.request(request.url, { method, headers, agent: transport.agent });
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode <= 299;
}

class ConnectTimeout extends Error {}

function limitConnect(outgoing: ClientRequest, connectMs: number, onConnected?: () => void): () => void {
  const timer = setTimeout(() => outgoing.destroy(new ConnectTimeout("connect")), connectMs);
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
  signal: AbortSignal,
  connectMs: number,
): HttpFailure {
  if (signal.aborted) return aborted();
  const origin = originOf(request);
  if (error instanceof ConnectTimeout) {
    return { kind: "connect-timeout", message: `No connection to ${origin} within ${connectMs} ms.` };
  }
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
