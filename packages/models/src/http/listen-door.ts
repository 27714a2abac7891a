/**
 * Listens for connections of other programs. Refuses requests without the exact Host, and requests with the Origin of
 * another server. A WebSocket is opened only if the caller of this module authorizes it. Nothing is compressed.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import type { Duplex } from "node:stream";
import { isLoopback, judgeRequest, type OwnOrigins, type Refusal } from "@localharness/protocol";
import { type FrameSocket, frameSocket, maxFrameBytes } from "./frame-socket.ts";

export interface ListenOptions<Caller> {
  readonly host: string;
  /** The port; 0 for a free one. */
  readonly port: number;
  /** The certificate and the key as PEM. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Resolves to the caller that the headers of the request identify; undefined to refuse the WebSocket (401). */
  authorize(request: IncomingMessage): Promise<Caller | undefined>;
  /** Answers a request that does not open a WebSocket. Called without authorization. */
  onRequest?(request: IncomingMessage, response: ServerResponse): void;
  /** Takes a WebSocket connection to `path`. */
  readonly sockets?: { readonly path: string; take(socket: FrameSocket, caller: Caller): void };
}

export interface Listening {
  /** The address without a path, such as `ws://127.0.0.1:4100`, as clients write it. */
  readonly address: string;
  readonly port: number;
  /** Stops listening and cuts all connections. */
  close(): Promise<void>;
}

const maxConnections = 64;
const maxHeaderBytes = 8 * 1024;
const headersMs = 5_000;
const requestMs = 10_000;

/**
 * Starts to listen. Rejects with the system's error if the address cannot be used, and with an `Error` for an address
 * beyond loopback without TLS.
 */
export async function listen<Caller>(options: ListenOptions<Caller>): Promise<Listening> {
  const { port, tls } = options;
  const host = asInUrl(options.host);
  if (tls === undefined && !isLoopback(host)) throw new Error(`${host} is not this machine: TLS is needed`);
  const server = await createFor(options);
  server.maxConnections = maxConnections;
  server.headersTimeout = headersMs;
  server.requestTimeout = requestMs;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: host.replace(/^\[|\]$/g, ""), port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  server.on("error", () => undefined);
  const bound = (server.address() as AddressInfo).port;
  const names = await namesOf(host, tls?.cert);
  const own = ownOrigins(names, bound, tls !== undefined);
  server.on("request", (request, response) => {
    const refusal = refusalOf(request, own);
    if (refusal === undefined && options.onRequest !== undefined) {
      options.onRequest(request, response);
    } else {
      refuse(response, refusal);
    }
  });
  const endSockets = await takeSockets(server, options, own);
  return {
    address: `${tls ? "wss" : "ws"}://${host}:${bound}`,
    port: bound,
    async close() {
      endSockets();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Returns the server's origin for each Host that a request may have. Both leave out the default port of the scheme. */
function ownOrigins(names: readonly string[], port: number, secure: boolean): OwnOrigins {
  const authorities = names.map((name) => (port === (secure ? 443 : 80) ? name : `${name}:${port}`));
  return new Map(authorities.map((one) => [one, `${secure ? "https" : "http"}://${one}`]));
}

async function createFor<Caller>({ tls }: ListenOptions<Caller>): Promise<Server> {
  const limits = { maxHeaderSize: maxHeaderBytes, connectionsCheckingInterval: 1_000 };
  if (tls === undefined) return createServer(limits);
  const { createServer: createSecure } = await import("node:https");
  return createSecure({ ...limits, ...tls, minVersion: "TLSv1.2" });
}

/** Returns the names under which requests may reach the server: those of the address and of the certificate. */
async function namesOf(host: string, cert: string | undefined): Promise<readonly string[]> {
  const own = isLoopback(host) ? ["127.0.0.1", "localhost", "[::1]", host] : [host];
  if (cert === undefined) return own;
  const { X509Certificate } = await import("node:crypto");
  const names = new X509Certificate(cert).subjectAltName ?? "";
  const ofCert = [...names.matchAll(/(?:DNS|IP Address):([^,\s]+)/g)].map(([, name = ""]) => asInUrl(name));
  return [...own, ...ofCert];
}

/** Returns the host as clients write it: in lower case, and an IPv6 address in its short form and in brackets. */
function asInUrl(host: string): string {
  const url = `http://${isIP(host) === 6 ? `[${host}]` : host}`;
  return URL.canParse(url) ? new URL(url).hostname : host.toLowerCase();
}

function refusalOf(
  { method = "", url = "", rawHeaders }: IncomingMessage,
  own: OwnOrigins,
): Refusal | undefined {
  return judgeRequest({ method, target: url, rawHeaders }, own);
}

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  415: "Unsupported Media Type",
};

function refuse(response: ServerResponse, refusal: Refusal | undefined): void {
  const text = JSON.stringify({ error: refusal?.message ?? "there is nothing at this path" });
  const headers = { connection: "close", "content-type": "application/json" };
  response
    .writeHead(refusal?.status ?? 404, { ...headers, "content-length": Buffer.byteLength(text) })
    .end(text);
}

/** Accepts WebSocket connections. Returns a function that cuts them all. */
async function takeSockets<Caller>(
  server: Server,
  { sockets, authorize }: ListenOptions<Caller>,
  own: OwnOrigins,
): Promise<() => void> {
  if (sockets === undefined) return () => undefined;
  const { WebSocketServer } = await import("ws");
  const upgrader = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    const deny = (status: number) => {
      socket.end(`HTTP/1.1 ${status} ${reasons[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    };
    const refusal = refusalOf(request, own);
    if (refusal !== undefined) return deny(refusal.status);
    if (request.url !== sockets.path) return deny(404);
    void authorize(request).then(
      (caller) => {
        if (caller === undefined) return deny(401);
        upgrader.handleUpgrade(request, socket, head, (opened) => sockets.take(frameSocket(opened), caller));
      },
      () => deny(401),
    );
  });
  return () => {
    for (const one of upgrader.clients) one.terminate();
    upgrader.close();
  };
}
