/**
 * Sends requests of tools to web servers. Connects to no address of this machine or its networks unless that is
 * allowed: each name is looked up once, every address found is checked, and the connection goes only to these
 * addresses.
 */
import { lookup } from "node:dns/promises";
import { Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import type { Web, WebAnswer, WebRequest } from "@localharness/engine";
import { defined, reasonOf } from "@localharness/protocol";
import { addressKind } from "./address-kind.ts";
import { acceptedEncodings, readBody } from "./read-body.ts";

export interface WebDoorOptions {
  /** True to allow addresses of this machine and of private networks. `closed` addresses are never allowed. */
  readonly allowPrivate: boolean;
  /** Looks up the addresses of a name. By default the system's resolver does this. */
  readonly resolve?: (host: string) => Promise<readonly Address[]>;
}

interface Address {
  readonly address: string;
  readonly family: number;
}

const userAgent = "localharness (a tool of a local language model)";

export function createWebDoor({ allowPrivate, resolve = lookUp }: WebDoorOptions): Web {
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
      const host = hostOf(url);
      try {
        const found =
          isIP(host) > 0
            ? [{ address: host, family: isIP(host) }]
            : await unlessAborted(resolve(host), signal);
        if (signal.aborted) return aborted;
        for (const { address } of found) {
          const why = closed(address);
          if (why !== undefined) return { kind: "blocked", message: `${host} is ${address}, ${why}.` };
        }
        if (found.length === 0) return failedAt(url, "has no address");
        return await exchange(url, request, found, signal);
      } catch (error) {
        return signal.aborted ? aborted : failedAt(url, whyOf(error));
      }
    },
  };
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

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
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

function lookUp(host: string): Promise<readonly Address[]> {
  return lookup(host, { all: true });
}

async function exchange(
  url: URL,
  request: WebRequest,
  found: readonly Address[],
  signal: AbortSignal,
): Promise<WebAnswer> {
  const incoming = await send(url, request, found, signal);
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
  found: readonly Address[],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // Loading TLS takes 8 ms, so it is loaded only when needed.
  const secure = url.protocol === "https:" ? await import("node:https") : undefined;
  const agent = new (secure?.Agent ?? Agent)({ keepAlive: false });
  const outgoing = (secure?.request ?? requestHttp)(url, {
    method,
    agent,
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

const certificateCode = /CERT|SIGNATURE|^ERR_TLS/;

function whyOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (certificateCode.test(code)) return `has a certificate that is not trusted (${code})`;
  const first = error instanceof AggregateError ? error.errors[0] : undefined;
  return (
    meanings[code] ?? (first === undefined ? `cannot be read (${code || reasonOf(error)})` : whyOf(first))
  );
}
