/**
 * Sends requests to servers whose addresses the person has configured. It has the interface of the global `fetch`: any
 * method, and an answer whose body is a stream. It follows no redirects, and never reaches the addresses where cloud
 * machines give out keys.
 */
import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { reasonOf } from "@localharness/protocol";
import { addressKind } from "./address-kind.ts";
import { certificateAdvice } from "./certificate-advice.ts";
import { forwardedFailure } from "./proxy/forwarded-failure.ts";
import { ProxyProblem } from "./proxy/proxy.ts";
import { hostOf, isSecure } from "./proxy/proxy-rules.ts";
import { openStoppable, type StoppableRequest } from "./stoppable-request.ts";
import { createTransports } from "./transports.ts";
import type { CertificateTrust } from "./trust-certificate.ts";
import { createCheckedWay, type Environment, type Resolve } from "./way-out.ts";

export interface FetchDoorOptions {
  /** True to reach only public addresses. Needed for URLs that do not come from the person. */
  readonly publicOnly?: boolean;
  /** The certificate to trust instead of those that the system trusts. */
  readonly trust?: CertificateTrust;
  /** The environment that may name a proxy; by default that of the process. */
  readonly environment?: Environment;
  /** Looks up the addresses of a name before a request goes through a proxy. By default the system does this. */
  readonly resolve?: Resolve;
}

export interface FetchDoor {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Closes the connections that are kept open. */
  close(): void;
}

/** Returns false if the host has an address that is not public; true if it cannot be looked up. Rejects if `url` is no URL. */
export async function isPublic(url: string): Promise<boolean> {
  const host = hostOf(new URL(url));
  const found = isIP(host) > 0 ? [{ address: host }] : await lookup(host, { all: true }).catch(() => []);
  return found.every(({ address }) => addressKind(address) === "public");
}

const connectMs = 10_000;
const withoutBody: readonly number[] = [101, 204, 205, 304];

/** Creates the door. It keeps idle connections; they do not keep the process alive. */
export function createFetchDoor(options: FetchDoorOptions = {}): FetchDoor {
  const { publicOnly = false, trust, environment = process.env, resolve } = options;
  const transports = createTransports({ keepAlive: true, trust });
  const refused: Refusal = (address) => {
    const kind = addressKind(address);
    return kind === "closed" || (publicOnly && kind !== "public");
  };
  const openLookup = lookupWith(refused);
  const wayTo = createCheckedWay(environment, { resolve, publicOnly, refused });
  return {
    async fetch(url, init = {}) {
      const target = new URL(url);
      refuseClosed(target, refused);
      const way = await wayTo(target);
      if (way.kind === "refused") throw new TypeError(way.why);
      const transport = await transports.to(isSecure(target), way.proxy);
      const body = await bodyOf(init);
      const headers = Object.fromEntries(new Headers(init.headers));
      const opened = openStoppable(transport, target, {
        method: init.method ?? "GET",
        lookup: openLookup,
        headers: body === undefined ? headers : { ...headers, "content-length": String(body.length) },
      });
      const incoming = await answerOf(opened, target, body, init.signal ?? undefined);
      const ofProxy = forwardedFailure(transport, target.origin, incoming);
      if (ofProxy === undefined) return toResponse(incoming);
      incoming.resume();
      throw new TypeError(ofProxy.message);
    },
    close: () => transports.close(),
  };
}

async function bodyOf({ body }: RequestInit): Promise<Buffer | undefined> {
  if (body === undefined || body === null) return undefined;
  return typeof body === "string" ? Buffer.from(body) : Buffer.from(await new Response(body).arrayBuffer());
}

/** Resolves when the head of the answer has arrived. The signal ends the request even while the answer's body is read. */
function answerOf(
  { outgoing, stop, reasonFor }: StoppableRequest,
  url: URL,
  body: Buffer | undefined,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const abort = () => stop(new DOMException("The request was aborted.", "AbortError"));
    const timer = setTimeout(() => stop(new Error(`no connection within ${connectMs} ms`)), connectMs);
    outgoing.once("socket", (socket) => {
      if (!socket.connecting) clearTimeout(timer);
      else
        socket.once(outgoing.protocol === "https:" ? "secureConnect" : "connect", () => clearTimeout(timer));
    });
    outgoing.once("close", () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    });
    outgoing.once("response", resolve);
    outgoing.once("upgrade", (_answer, socket) => {
      socket.destroy();
      reject(new TypeError(`${url.origin} changes the protocol`));
    });
    outgoing.once("error", (told) => {
      const error = reasonFor(told);
      reject(error.name === "AbortError" ? error : failureOf(error, url));
    });
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted === true) abort();
    outgoing.end(body);
  });
}

function failureOf(error: Error, { origin }: URL): TypeError {
  if (error instanceof ProxyProblem) return new TypeError(error.message);
  const advice = certificateAdvice(error, origin);
  return new TypeError(advice ?? `${origin}: ${reasonOf(error)}`, { cause: error });
}

function toResponse(incoming: IncomingMessage): Response {
  const headers = new Headers();
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
    headers.append(incoming.rawHeaders[at] ?? "", incoming.rawHeaders[at + 1] ?? "");
  }
  const status = incoming.statusCode ?? 0;
  if (withoutBody.includes(status)) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
  return new Response(body, { status, headers });
}

/** Returns true for an IP address to which the door does not connect. */
type Refusal = (address: string) => boolean;

/** Returns a function that looks up a name and refuses it if one of its addresses is refused, whatever the name is. */
function lookupWith(refused: Refusal): LookupFunction {
  return (host, options, done) => {
    const family = options.family === 4 || options.family === 6 ? options.family : 0;
    lookup(host, { all: true, family }).then(
      (found) => {
        const [first] = found;
        if (first === undefined || found.some(({ address }) => refused(address))) {
          return done(new Error(`${host} has an address that is never reached`), "", 0);
        }
        if (options.all === true) done(null, found);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, "", 0),
    );
  };
}

/** Throws for a scheme other than http and https, and for a refused IP address. A name is checked when it is looked up. */
function refuseClosed(url: URL, refused: Refusal): void {
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`${url.protocol} is not reached`);
  const host = hostOf(url);
  if (isIP(host) > 0 && refused(host)) throw new TypeError(`${host} is never reached`);
}
