/** Sends requests over sockets that are kept open between them. */

import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { reasonOf } from "@localharness/protocol";
import type { Http, HttpFailure, HttpRequest, HttpResponse } from "./http.ts";

export interface NodeHttpOptions {
  /** Milliseconds until the connection stands, name look-up and TLS included. */
  readonly connectMs?: number;
  /** Characters of one answer, all parts together, before it is cut off as unreadable. */
  readonly maxAnswerChars?: number;
}

const defaultConnectMs = 10_000;
const defaultMaxAnswerChars = 128 * 1024 * 1024;

/** Makes the door. Idle connections are kept per origin and do not keep the process alive. */
export function createNodeHttp(options: NodeHttpOptions = {}): Http {
  const doors = openDoors();
  const connectMs = options.connectMs ?? defaultConnectMs;
  const maxAnswerChars = options.maxAnswerChars ?? defaultMaxAnswerChars;
  const attempt = (request: HttpRequest, signal: AbortSignal, door: Door) =>
    new Promise<HttpResponse | HttpFailure | "stale">((resolve) => {
      if (signal.aborted) return resolve(aborted());
      const outgoing = open(request, door);
      const stopWaiting = limitConnect(outgoing, connectMs);
      const abort = () => outgoing.destroy(new Error("aborted"));
      signal.addEventListener("abort", abort, { once: true });
      const settle = () => {
        stopWaiting();
        signal.removeEventListener("abort", abort);
      };
      outgoing.once("response", (incoming) => {
        stopWaiting();
        // A server that refuses may leave the request unread: what is sent next on that connection would be its rest.
        if (!isSuccess(incoming)) outgoing.shouldKeepAlive = false;
        incoming.once("close", settle);
        resolve(respond(request, incoming, signal, maxAnswerChars));
      });
      outgoing.once("error", (error: NodeJS.ErrnoException) => {
        settle();
        const stale = outgoing.reusedSocket && error.code === "ECONNRESET" && !signal.aborted;
        resolve(stale ? "stale" : failureOf(error, request, signal, connectMs));
      });
      // Without an answer or an error: a server that changes to another protocol. Else it is settled by now.
      outgoing.once("close", () => {
        settle();
        resolve(signal.aborted ? aborted() : dropped(request));
      });
      outgoing.end(request.body);
    });
  return {
    async send(request, signal) {
      try {
        const door = await doors(request.url);
        // A kept connection may have been closed by the server a moment ago: that is no failure of the server.
        for (;;) {
          const answer = await attempt(request, signal, door);
          if (answer !== "stale") return answer;
        }
      } catch (error) {
        return notSent(request, error);
      }
    },
  };
}

/** How requests go out, with the connections that are kept for them. */
interface Door {
  readonly request: typeof requestHttp;
  readonly agent: Agent;
}

/** The door for a URL. TLS is loaded when the first https URL asks for it: that takes 8 ms. */
function openDoors(): (url: string) => Promise<Door> {
  let plain: Door | undefined;
  let tls: Door | undefined;
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

function open(request: HttpRequest, door: Door): ClientRequest {
  const { method, body } = request;
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const headers = { ...request.headers, ...length };
  return door.request(request.url, { method, headers, agent: door.agent });
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode <= 299;
}

class ConnectTimeout extends Error {}

function limitConnect(outgoing: ClientRequest, connectMs: number): () => void {
  const timer = setTimeout(() => outgoing.destroy(new ConnectTimeout("connect")), connectMs);
  const stop = () => clearTimeout(timer);
  outgoing.once("socket", (socket) => {
    if (!socket.connecting) stop();
    else socket.once(outgoing.protocol === "https:" ? "secureConnect" : "connect", stop);
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
    // An answer that only the connection's end delimits looks complete when it was aborted.
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
      if (error.code?.startsWith("HPE_"))
        return unreadable(`What ${origin} sent is no HTTP (${error.code}).`);
      return {
        kind: "unreachable",
        message: `${origin} cannot be reached (${error.code ?? error.message}).`,
      };
  }
}

/** Node writes no request with such a URL or header. Its message names the header, never what stands in it. */
function notSent(request: HttpRequest, error: unknown): HttpFailure {
  const why = reasonOf(error);
  const advice = /"authorization"/i.test(why)
    ? " The key holds a character that no key has: copy it anew."
    : "";
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

/** The origin only: a path or user part may hold a secret. */
function originOf(request: { readonly url: string }): string {
  return URL.canParse(request.url) ? new URL(request.url).origin : "the address";
}
