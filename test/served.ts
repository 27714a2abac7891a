/** Starts `localharness serve` as a real process, and talks to it as clients do: HTTP requests and WebSockets. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command, RoomState, SessionEvent, SocketMessage } from "@localharness/protocol";
import { makePlace, type Place, type Run, start } from "./run-program.ts";

export interface Served extends AsyncDisposable {
  readonly run: Run;
  readonly place: Place;
  readonly address: string;
  /** The one-time code of the link that the server printed. */
  readonly code: string;
  readonly token: string;
  request(method: string, path: string, body?: object, headers?: Headers): Promise<Reply>;
  /** Opens a session and resolves to its state. Rejects when the server refuses. */
  open(which?: object): Promise<RoomState>;
  send(id: string, command: Command, headers?: Headers): Promise<Reply>;
  /** Calls a method of the session's host and resolves to its result. Rejects when the server refuses. */
  host(id: string, method: string, ...args: unknown[]): Promise<unknown>;
  follow(options?: FollowOptions): Follower;
}

type Headers = Readonly<Record<string, string>>;

export interface Reply {
  readonly status: number;
  readonly headers: globalThis.Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the server sent
  readonly json: any;
}

export interface FollowOptions {
  readonly session?: string;
  readonly after?: number;
  /** The id of the log that `after` counts in. */
  readonly log?: string;
  readonly key?: string;
}

/** A WebSocket client that keeps what it got. */
export interface Follower {
  readonly messages: readonly SocketMessage[];
  readonly events: readonly SessionEvent[];
  /** The id of the log, once the first events have come. */
  readonly log: string | undefined;
  /** Resolves to the first message of this kind that `accepts` takes, also one that came before. Rejects at a close. */
  until<Kind extends SocketMessage["kind"]>(
    kind: Kind,
    accepts?: (message: Extract<SocketMessage, { kind: Kind }>) => boolean,
  ): Promise<Extract<SocketMessage, { kind: Kind }>>;
  /** Resolves to the first event of this type that `accepts` takes, also one that came before. Rejects at a close. */
  event<Type extends SessionEvent["type"]>(
    type: Type,
    accepts?: (event: Extract<SessionEvent, { type: Type }>) => boolean,
  ): Promise<Extract<SessionEvent, { type: Type }>>;
  close(): void;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

export interface ServeOptions {
  readonly place?: Place;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the server with these arguments and waits until it listens. */
export async function serve(args: readonly string[], options: ServeOptions = {}): Promise<Served> {
  const { place = makePlace(), env = {} } = options;
  const where = args.includes("--listen") ? [] : ["--listen", "127.0.0.1:0"];
  const run = await start(["serve", ...where, ...args], { place, env });
  await run.said(/#pair=\S+/);
  const [, address = "", code = ""] = /(https?:\/\/\S+)\/#pair=(\S+)/.exec(run.output().stdout) ?? [];
  const { token } = JSON.parse(readFileSync(serverFile(place), "utf8"));
  const request = (method: string, path: string, body?: object, headers: Headers = {}) =>
    ask(`${address}${path}`, method, body, { Authorization: `Bearer ${token}`, ...headers });
  return {
    run,
    place,
    address,
    code,
    token,
    request,
    async open(which = {}) {
      const { status, json, text } = await request("POST", "/api/sessions", which);
      if (status !== 201) throw new Error(`the session was not opened: ${status} ${text}`);
      return json;
    },
    send: (id, command, headers) => request("POST", `/api/sessions/${id}/commands`, command, headers),
    async host(id, method, ...args) {
      const reply = await request("POST", `/api/sessions/${id}/host/${method}`, { args });
      if (reply.status !== 200) throw new Error(`${method} was refused: ${reply.status} ${reply.text}`);
      return reply.json.result;
    },
    follow: (which = {}) => follow(address, { key: token, ...which }),
    async [Symbol.asyncDispose]() {
      run.child.kill("SIGKILL");
      await run.ended;
    },
  };
}

export function serverFile({ home }: Place): string {
  return join(home, ".local", "state", "localharness", "server.json");
}

/** Sends a request. It has a key only if `headers` has one. */
export async function ask(
  url: string,
  method: string,
  body: object | undefined,
  headers: Headers,
): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("application/json") === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

function follow(address: string, { session, after, log, key = "" }: FollowOptions): Follower {
  const query = new URLSearchParams({
    ...(session === undefined ? {} : { session }),
    ...(after === undefined ? {} : { after: String(after) }),
    ...(log === undefined ? {} : { log }),
  });
  const socket = new WebSocket(`${address.replace(/^http/, "ws")}/ws?${query}`, [
    "localharness",
    `key.${key}`,
  ]);
  const messages: SocketMessage[] = [];
  const looks = new Set<() => void>();
  const look = () => {
    for (const one of looks) one();
  };
  socket.addEventListener("message", ({ data }) => {
    messages.push(JSON.parse(String(data)));
    look();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener("close", ({ code, reason }) => resolve({ code, reason }));
  });
  const find = <Found>(what: string, seek: () => Found | undefined): Promise<Found> =>
    new Promise((resolve, reject) => {
      const one = () => {
        const found = seek();
        if (found === undefined) return;
        looks.delete(one);
        resolve(found);
      };
      looks.add(one);
      one();
      void closed.then(({ code }) => reject(new Error(`the socket closed (${code}) without ${what}`)));
    });
  const events = () => messages.flatMap((message) => (message.kind === "events" ? [...message.events] : []));
  return {
    messages,
    get events() {
      return events();
    },
    get log() {
      const [first] = messages.filter((message) => message.kind === "events");
      return first?.log;
    },
    until: (kind, accepts = () => true) =>
      find(kind, () => messages.find((one) => one.kind === kind && accepts(one as never))) as never,
    event: (type, accepts = () => true) =>
      find(type, () => events().find((one) => one.type === type && accepts(one as never))) as never,
    close: () => socket.close(),
    closed,
  };
}
