/** Runs a proxy on loopback: HTTP with `CONNECT` and whole requests, or SOCKS 5. It finds the hosts that it is told. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcp, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";
import type { MadeCertificate } from "./made-certificate.ts";

export interface ProxyPlan {
  /** The ports on this machine that the hosts lead to. Other hosts are not found. */
  readonly hosts: Readonly<Record<string, number>>;
  /** `name:password`, without which nothing is let through. */
  readonly user?: string;
  /** Has the proxy speak TLS. */
  readonly certificate?: MadeCertificate;
}

export interface MadeProxy {
  readonly port: number;
  /** What was asked for: `CONNECT host:port`, or `GET http://host/path`. */
  readonly seen: string[];
}

const forgetful = (socket: Duplex) => socket.on("error", () => socket.destroy());

export async function runProxy({ hosts, user, certificate }: ProxyPlan): Promise<MadeProxy> {
  const seen: string[] = [];
  const token = user === undefined ? undefined : `Basic ${Buffer.from(user).toString("base64")}`;
  const isKnown = ({ headers }: IncomingMessage) =>
    token === undefined || headers["proxy-authorization"] === token;
  const answer = (incoming: IncomingMessage, response: ServerResponse) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    const page = { "content-type": "text/html" };
    if (!isKnown(incoming)) {
      response.writeHead(407, { ...page, "proxy-authenticate": "Basic realm=x" }).end("<html>sign in</html>");
      return;
    }
    const url = new URL(incoming.url ?? "");
    const port = hosts[url.hostname];
    if (port === undefined) return void response.writeHead(503, page).end("<html>no such host</html>");
    const { "proxy-authorization": _token, ...headers } = incoming.headers;
    const path = url.pathname + url.search;
    const onward = request({
      port,
      path,
      method: incoming.method ?? "GET",
      headers: { ...headers, host: url.host },
    });
    onward.on("response", (got) => {
      response.writeHead(got.statusCode ?? 500, got.headers);
      got.pipe(response);
    });
    onward.on("error", () => response.destroy());
    incoming.pipe(onward);
  };
  const server = certificate === undefined ? createServer(answer) : createSecureServer(certificate, answer);
  server.on("connect", (incoming: IncomingMessage, socket: Duplex, early: Buffer) => {
    forgetful(socket);
    seen.push(`CONNECT ${incoming.url}`);
    if (!isKnown(incoming)) {
      return socket.end("HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n");
    }
    const port = hosts[(incoming.url ?? "").replace(/:\d+$/, "")];
    if (port === undefined) return socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    const onward = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\nVia: made\r\n\r\n");
      onward.write(early);
      onward.pipe(socket).pipe(onward);
    });
    forgetful(onward);
  });
  return { port: await listening(server), seen };
}

/** Runs a SOCKS proxy. Each part of its answers comes by itself, byte by byte. */
export async function runSocks({ hosts, user }: Omit<ProxyPlan, "certificate">): Promise<MadeProxy> {
  const seen: string[] = [];
  const server = createTcp((socket) => {
    forgetful(socket);
    void serveSocks(socket, hosts, user, seen).catch(() => socket.destroy());
  });
  return { port: await listening(server), seen };
}

async function serveSocks(
  socket: Socket,
  hosts: ProxyPlan["hosts"],
  user: string | undefined,
  seen: string[],
): Promise<void> {
  const take = taker(socket);
  const say = (...bytes: number[]) => {
    for (const byte of bytes) socket.write(Buffer.from([byte]));
  };
  const [, count = 0] = await take(2);
  await take(count);
  say(5, user === undefined ? 0 : 2);
  if (user !== undefined) {
    const [, nameLength = 0] = await take(2);
    const name = (await take(nameLength)).toString();
    const password = (await take((await take(1))[0] ?? 0)).toString();
    const isRight = `${name}:${password}` === user;
    say(1, isRight ? 0 : 1);
    if (!isRight) return void socket.end();
  }
  const [, , , , length = 0] = await take(5);
  const host = (await take(length)).toString();
  const target = (await take(2)).readUInt16BE();
  seen.push(`CONNECT ${host}:${target}`);
  const port = hosts[host];
  if (port === undefined) {
    say(5, 4, 0, 1, 0, 0, 0, 0, 0, 0);
    return void socket.end();
  }
  const onward = connect(port, "127.0.0.1", () => {
    say(5, 0, 0, 1, 127, 0, 0, 1, 0, 80);
    onward.pipe(socket).pipe(onward);
  });
  forgetful(onward);
}

/** Returns a function that resolves to the next bytes of the socket. */
function taker(socket: Socket): (count: number) => Promise<Buffer> {
  return async (count) => {
    if (count === 0) return Buffer.alloc(0);
    for (;;) {
      const bytes: Buffer | null = socket.read(count);
      if (bytes !== null) return bytes;
      await once(socket, "readable");
    }
  };
}

async function listening(server: Server): Promise<number> {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
