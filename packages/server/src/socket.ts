/** Sends the events of a session, and the list of open sessions, to clients over WebSocket. */

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { FirstEvents, SessionEvent, SocketMessage } from "@localharness/protocol";
import { type WebSocket, WebSocketServer } from "ws";
import { type BoundedSender, createBoundedSender } from "./bounded-sender.ts";
import type { Credentials } from "./credentials.ts";
import type { LogPlace } from "./desk.ts";
import type { Desks } from "./desks.ts";

export interface Sockets {
  /** Answers an upgrade request, after its head was judged. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** Closes all sockets; no more may be opened here. `keyRefusedCode` says that the key is no longer valid. */
  closeAll(code: number, reason: string): void;
}

export interface SocketLimits {
  /** The maximum number of open sockets. */
  readonly sockets: number;
  /** A client for which more bytes wait is dropped. When it connects again, it gets the events that it missed. */
  readonly waitingBytes: number;
  /** The time between two pings, in milliseconds. */
  readonly pingMs: number;
}

export const defaultSocketLimits: SocketLimits = {
  sockets: 2_000,
  waitingBytes: 4 * 1024 * 1024,
  pingMs: 20_000,
};

/** The number of events in one frame of the history. */
const batch = 500;

export interface SocketParts {
  readonly desks: Desks;
  readonly credentials: Credentials;
  /** Returns the origin of our pages for a Host header that `judgeRequest` has accepted. */
  originOf(host: string): string;
}

export function createSockets({ desks, credentials, originOf }: SocketParts, limits: SocketLimits): Sockets {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: 1_024,
    handleProtocols: () => "localharness",
  });
  const seen = new WeakSet<WebSocket>();
  const senders = new Map<WebSocket, BoundedSender>();
  const stopTelling = desks.onChange((change) => {
    // All clients share one text, because it may be long and the clients many.
    const text = Buffer.from(JSON.stringify({ kind: "rooms", ...change } satisfies SocketMessage));
    for (const sender of senders.values()) sender.send(text);
  });
  const pinging = setInterval(() => {
    for (const socket of server.clients) {
      if (!seen.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, limits.pingMs).unref();

  return {
    async upgrade(request, socket, head) {
      const url = new URL(request.url ?? "/", "http://server");
      if (url.pathname !== "/ws") return refuseUpgrade(socket, "404 Not Found");
      const origin = originOf(request.headers.host ?? "");
      if (!(await credentials.accepts(keyOf(request), origin))) {
        return refuseUpgrade(socket, "401 Unauthorized");
      }
      if (server.clients.size >= limits.sockets) return refuseUpgrade(socket, "503 Service Unavailable");
      server.handleUpgrade(request, socket, head, (client) => {
        seen.add(client);
        client.on("pong", () => seen.add(client));
        client.on("error", () => client.terminate());
        const sender = createBoundedSender(client, limits.waitingBytes);
        senders.set(client, sender);
        client.once("close", () => senders.delete(client));
        follow(client, desks, url.searchParams, sender);
      });
    },
    closeAll(code, reason) {
      clearInterval(pinging);
      stopTelling();
      for (const client of server.clients) client.close(code, reason);
      // A client that does not answer the closing handshake is dropped.
      setTimeout(() => {
        for (const client of server.clients) client.terminate();
      }, 500).unref();
    },
  };
}

/**
 * Sends the client the list of open sessions and, if it asked for a session, the events, until the connection closes.
 */
function follow(client: WebSocket, desks: Desks, query: URLSearchParams, sender: BoundedSender): void {
  const send = (message: SocketMessage) => sender.send(JSON.stringify(message));
  const id = query.get("session");
  if (id !== null) {
    const stop = watch({ client, desks, id, place: placeOf(query), send, hold: sender.hold });
    if (stop !== undefined) client.once("close", stop);
  }
  send({ kind: "rooms", whole: true, rooms: desks.states() });
}

function placeOf(query: URLSearchParams): LogPlace {
  const after = Number(query.get("after") ?? 0);
  const log = query.get("log");
  return { after: Number.isSafeInteger(after) ? after : 0, ...(log === null ? {} : { log }) };
}

interface Watch {
  readonly client: WebSocket;
  readonly desks: Desks;
  readonly id: string;
  readonly place: LogPlace;
  send(message: SocketMessage): void;
  /** Drops the client if so many waiting messages exceed its limit. */
  hold(messages: number): void;
}

/**
 * Sends the events so far and all later ones, which wait until the connection has taken the history. Returns a function
 * that stops the sending. If the session is not open, tells the client and returns undefined.
 */
function watch({ client, desks, id, place, send, hold }: Watch): (() => void) | undefined {
  const desk = desks.find(id);
  if (desk === undefined) {
    send({ kind: "closed" });
    return undefined;
  }
  const waiting: SessionEvent[] = [];
  let caughtUp = false;
  const since = desk.watch(place, {
    event(event) {
      if (caughtUp) return send({ kind: "events", events: [event] });
      waiting.push(event);
      hold(waiting.length);
    },
    answered: (answer) => send({ kind: "answered", ...answer }),
    closed: () => send({ kind: "closed" }),
  });
  const { log, whole } = since;
  void sendHistory(client, since.events, { log, whole, sharedTo: desk.room.readTo }).then(() => {
    caughtUp = true;
    if (waiting.length > 0) send({ kind: "events", events: waiting });
  });
  return () => since.stop();
}

/** Sends the history in frames. Each frame follows when the client's connection has taken the previous frame. */
async function sendHistory(
  client: WebSocket,
  events: readonly SessionEvent[],
  first: FirstEvents,
): Promise<void> {
  for (let at = 0; at === 0 || at < events.length; at += batch) {
    const message: SocketMessage = {
      kind: "events",
      events: events.slice(at, at + batch),
      ...(at === 0 ? first : {}),
      ...(at + batch < events.length ? { more: true } : {}),
    };
    if (client.readyState !== client.OPEN) return;
    await new Promise<void>((resolve) => client.send(JSON.stringify(message), () => resolve()));
  }
}

/** Returns the pass or key of a request: in the header, or, because pages cannot set it, as a subprotocol `key.PASS`. */
function keyOf({ headers }: IncomingMessage): string {
  const bearer = /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1];
  if (bearer !== undefined) return bearer;
  const offered = (headers["sec-websocket-protocol"] ?? "").split(",").map((one) => one.trim());
  return offered.find((one) => one.startsWith("key."))?.slice(4) ?? "";
}

export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
