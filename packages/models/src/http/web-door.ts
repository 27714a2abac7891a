/**
 * Sends requests of tools to web servers. Connects to no address of this machine or its networks unless that is
 * allowed: each name is looked up once, every address found is checked, and the connection goes only to these
 * addresses.
 */
import type { IncomingMessage } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import type { Web, WebAnswer, WebRequest } from "@localharness/engine";
import { defined, reasonOf } from "@localharness/protocol";
import { addressKind } from "./address-kind.ts";
import { certificateAdvice } from "./certificate-advice.ts";
import { forwardedFailure } from "./proxy/forwarded-failure.ts";
import { type NamedProxy, ProxyProblem } from "./proxy/proxy.ts";
import { hostOf, isPrivateName, isSecure, proxyFor } from "./proxy/proxy-rules.ts";
import { acceptedEncodings, readBody } from "./read-body.ts";
import type { Transport } from "./transport.ts";
import { createTransports } from "./transports.ts";
import {
  type Address,
  addressesHere,
  type Environment,
  isOfNetwork,
  lookUp,
  type Resolve,
} from "./way-out.ts";

export interface WebDoorOptions {
  /** True to allow addresses of this machine and of private networks. `closed` addresses are never allowed. */
  readonly allowPrivate: boolean;
  /** Looks up the addresses of a name. By default the system's resolver does this. */
  readonly resolve?: Resolve;
  /** The environment that may name a proxy; by default that of the process. */
  readonly environment?: Environment;
}

const userAgent = "localharness (a tool of a local language model)";

export function createWebDoor(options: WebDoorOptions): Web {
  const { allowPrivate } = options;
  const closed = (address: string) => {
    const kind = addressKind(address);
    if (kind === "public" || (kind === "private" && allowPrivate)) return undefined;
    return kind === "private"
      ? "an address of this machine or of a private network (the setting web_allow_private allows these)"
      : "a link-local or special address, which is never reached";
  };
  return {
    objection: async (url) => objectionTo(url, closed),
    async send(request, signal) {
      const objection = objectionTo(request.url, closed);
      if (objection !== undefined) return { kind: "blocked", message: objection };
      const url = new URL(request.url);
      try {
        const way = await wayTo(url, options, closed, signal);
        if (signal.aborted) return aborted;
        return "kind" in way ? way : await exchange(url, request, way, signal);
      } catch (error) {
        return signal.aborted ? aborted : failureOf(url, error);
      }
    },
  };
}

/** The checked addresses to connect to, or the proxy. */
type Way = { readonly found: readonly Address[] } | { readonly proxy: NamedProxy };

/**
 * Checks the addresses of the host, and returns the way to it or the answer that refuses it. A proxy looks the name up
 * again, so that nobody here knows to which address it connects. So a name that leads to a private address here is refused
 * as without a proxy, and so is a name that is not found here and that only a private network can have.
 */
async function wayTo(
  url: URL,
  { allowPrivate, resolve = lookUp, environment = process.env }: WebDoorOptions,
  closed: (address: string) => string | undefined,
  signal: AbortSignal,
): Promise<Way | WebAnswer> {
  const host = hostOf(url);
  const proxy = proxyFor(url, environment);
  const found = await unlessAborted(
    proxy === undefined && isIP(host) === 0 ? resolve(host) : addressesHere(host, resolve),
    signal,
  );
  for (const { address } of found) {
    const why = closed(address);
    if (why !== undefined) return { kind: "blocked", message: `${host} is ${address}, ${why}.` };
  }
  if (found.length > 0 && (proxy === undefined || isOfNetwork(host, found))) return { found };
  if (proxy === undefined) return failedAt(url, "has no address");
  if (found.length > 0 || allowPrivate || !isPrivateName(host)) return { proxy };
  const why =
    "is a name of a private network, which is not found here (with web_allow_private the proxy is asked)";
  return { kind: "blocked", message: `${host} ${why}.` };
}

const aborted: WebAnswer = { kind: "aborted", message: "The request was aborted." };

function failedAt(url: URL, what: string): WebAnswer {
  return { kind: "failed", message: `${url.origin} ${what}.` };
}

function objectionTo(text: string, closed: (address: string) => string | undefined): string | undefined {
  if (!URL.canParse(text)) return "This is not an address: expected one such as https://example.com/page.";
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return `Only http and https are reached, not ${url.protocol.slice(0, 20)}`;
  }
  if (url.username !== "" || url.password !== "") {
    return "The address contains a user name or a password: leave it out.";
  }
  const host = hostOf(url);
  const why =
    isIP(host) > 0 ? closed(host) : /(?:^|\.)localhost\.?$/i.test(host) ? closed("127.0.0.1") : undefined;
  return why === undefined ? undefined : `${host} is ${why}.`;
}

/** Resolves as `work` does, but rejects as soon as the signal aborts, because a look-up itself cannot be aborted. */
function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error("aborted"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

async function exchange(url: URL, request: WebRequest, way: Way, signal: AbortSignal): Promise<WebAnswer> {
  const proxy = "proxy" in way ? way.proxy : undefined;
  const transport = await createTransports({ keepAlive: false }).to(isSecure(url), proxy);
  const incoming = await send(url, request, transport, "found" in way ? way.found : [], signal);
  const ofProxy = forwardedFailure(transport, url.origin, incoming);
  if (ofProxy !== undefined) {
    incoming.destroy();
    return { kind: "failed", message: ofProxy.message };
  }
  try {
    const { statusCode: status = 0, headers } = incoming;
    const isRedirect = status >= 300 && status <= 399 && headers.location !== undefined;
    const { body, cut } = isRedirect
      ? { body: Buffer.alloc(0), cut: false }
      : await readBody(incoming, request.maxBytes);
    if (signal.aborted) return aborted;
    const type = headers["content-type"] ?? "";
    const location = isRedirect ? headers.location : undefined;
    return { kind: "answer", status, type, body, cut, ...defined({ location }) };
  } finally {
    incoming.destroy();
  }
}

async function send(
  url: URL,
  { method, headers, body }: WebRequest,
  transport: Transport,
  found: readonly Address[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const outgoing = transport.open(url, {
    method,
    signal,
    lookup: fixedLookup(found),
    headers: {
      accept: "text/html,*/*;q=0.8",
      "accept-encoding": acceptedEncodings,
      "user-agent": userAgent,
      ...headers,
    },
  });
  return new Promise((resolve, reject) => {
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
    outgoing.once("upgrade", (_answer, socket) => {
      socket.destroy();
      reject(new Error("it changes the protocol"));
    });
    outgoing.end(body);
  });
}

/**
 * Returns a look-up function that always returns the checked addresses, even if the name has other addresses by now.
 */
function fixedLookup(found: readonly Address[]): LookupFunction {
  return (_host, options, done) => {
    const [first] = found;
    if (options.all === true) done(null, [...found]);
    else done(null, first?.address ?? "", first?.family);
  };
}

const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refuses connections",
  ECONNRESET: "closed the connection before the answer was complete",
  ENOTFOUND: "was not found: there is no host of that name",
  EAI_AGAIN: "could not be looked up: the network or its name server does not answer",
  ENETUNREACH: "cannot be reached from here",
  EHOSTUNREACH: "cannot be reached from here",
  ETIMEDOUT: "does not answer",
};

function failureOf(url: URL, error: unknown): WebAnswer {
  const told = error instanceof ProxyProblem ? error.message : certificateAdvice(error, url.origin);
  return told === undefined ? failedAt(url, whyOf(error)) : { kind: "failed", message: told };
}

function whyOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const first = error instanceof AggregateError ? error.errors[0] : undefined;
  return (
    meanings[code] ?? (first === undefined ? `cannot be read (${code || reasonOf(error)})` : whyOf(first))
  );
}
