/** Starts the server: the only module of this package that opens a listening socket. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type Hub, judgeRequest, keyRefusedCode, type OwnOrigins } from "@localharness/protocol";
import { createApp } from "./app.ts";
import { closeIdle } from "./close-idle.ts";
import { type CodeReach, createCredentials } from "./credentials.ts";
import { createDesks } from "./desks.ts";
import { isUnspecified, originOf, outerAddressOf, ownOrigins } from "./own-origins.ts";
import { createPages } from "./pages.ts";
import { createRateLimit } from "./rate-limit.ts";
import { createSockets, defaultSocketLimits, refuseUpgrade, type SocketLimits } from "./socket.ts";

export interface ServerOptions {
  readonly hub: Hub;
  /** The files of the web app, by path. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** Returns the token that is valid now. Another process may replace it: all sockets are closed then. */
  readToken(): Promise<string>;
  /** The address to listen on, such as `127.0.0.1`. */
  readonly host: string;
  /** The port; 0 for a free one. */
  readonly port: number;
  /** Other origins under which clients reach the server, such as `https://box.tail1.ts.net` of a proxy. */
  readonly origins?: readonly string[];
  /** The certificate and its key in PEM format. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly socketLimits?: Partial<SocketLimits>;
  /** The milliseconds after which a session that nobody watches, and in which nothing runs, is closed; absent for never. */
  readonly idleMs?: number;
  reportBug(error: unknown): void;
}

export interface ListeningServer {
  /** The address for clients on this machine, with scheme and port, without a path. */
  readonly address: string;
  /** The address for other machines; undefined if they cannot reach the server. */
  readonly outerAddress: string | undefined;
  /** Returns a code that pairs one browser: `ADDRESS/#pair=CODE` is the link. Browsers do not send the fragment. */
  offerCode(reach?: CodeReach): string;
  /** Stops listening and closes all connections. Resolves when they have ended. The sessions stay open. */
  close(): Promise<void>;
}

/** The milliseconds between two checks whether the token was replaced. */
const tokenCheckMs = 2_000;
const rate = { perSecond: 200, burst: 400 };

/** Starts the server and resolves when it listens. Rejects if it cannot listen, or if the token cannot be read. */
export async function startServer(options: ServerOptions): Promise<ListeningServer> {
  const { hub, files, readToken, tls, reportBug, host, origins = [] } = options;
  const credentials = createCredentials(readToken);
  const desks = createDesks(hub);
  const outerAddress = () => outer;
  const originFor = (hostHeader: string) => own.get(hostHeader.toLowerCase()) ?? "";
  const parts = { desks, credentials, originOf: originFor };
  const app = createApp({ ...parts, hub, outerAddress, pages: createPages(files), reportBug });
  const scheme = tls === undefined ? "http" : "https";
  let own: OwnOrigins = new Map();
  let outer: string | undefined;
  const admits = createRateLimit(rate).admits;
  const handle = getRequestListener(app.fetch);
  const listener: RequestListener = (request, response) => {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    const refusal = judgeRequest(headOf(request), own);
    const status = refusal?.status ?? (admits(request.socket.remoteAddress ?? "") ? undefined : 429);
    if (status === undefined) return void handle(request, response);
    response.writeHead(status, { "Content-Type": "application/json", Connection: "close" });
    response.end(JSON.stringify({ error: refusal?.message ?? "too many requests: wait a second" }));
  };
  const server = listenerOf(options, listener);
  let sockets = createSockets(parts, { ...defaultSocketLimits, ...options.socketLimits });
  server.on("upgrade", (request, socket, head) => {
    // Node does not handle errors of an upgraded connection. Without a listener, a reset would end the program.
    socket.on("error", () => socket.destroy());
    const refusal = judgeRequest(headOf(request), own);
    if (refusal !== undefined) return refuseUpgrade(socket, `${refusal.status} Refused`);
    if (!admits(request.socket.remoteAddress ?? "")) return refuseUpgrade(socket, "429 Too Many Requests");
    sockets.upgrade(request, socket, head).catch((error: unknown) => {
      socket.destroy();
      reportBug(error);
    });
  });
  const port = await listen(server, options);
  own = ownOrigins({ host, scheme, others: origins }, port);
  outer = origins[0] ?? outerAddressOf(host, scheme, port);
  const watching = watchToken(await readToken(), readToken, () => {
    sockets.closeAll(keyRefusedCode, "the key does not hold any more");
    sockets = createSockets(parts, { ...defaultSocketLimits, ...options.socketLimits });
  });
  const idle = options.idleMs === undefined ? undefined : closeIdle(desks, { ms: options.idleMs, reportBug });
  return {
    address: originOf(scheme, isUnspecified(host) ? "127.0.0.1" : host, port),
    outerAddress: outer,
    offerCode: credentials.offerCode,
    async close() {
      clearInterval(watching);
      idle?.stop();
      sockets.closeAll(1001, "the server ends");
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 1_000).unref();
      });
    },
  };
}

function headOf({ method = "", url = "", rawHeaders }: IncomingMessage) {
  return { method, target: url, rawHeaders };
}

function listenerOf({ tls }: ServerOptions, listener: RequestListener): Server {
  const limits = {
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 10_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 16 * 1024,
  };
  const server =
    tls === undefined ? createServer(limits, listener) : createSecureServer({ ...limits, ...tls }, listener);
  server.maxConnections = 4_000;
  return server;
}

async function listen(server: Server, { host, port }: ServerOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/** Calls `onReplaced` when the token has changed since it was last read. */
function watchToken(first: string, readToken: () => Promise<string>, onReplaced: () => void): NodeJS.Timeout {
  let known = first;
  const check = (token: string) => {
    if (token !== known) onReplaced();
    known = token;
  };
  // A token that cannot be read is checked again, and no key is accepted meanwhile.
  return setInterval(() => void readToken().then(check, () => undefined), tokenCheckMs).unref();
}

const securityHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
} as const;
