/** Opens a connection to a server: starts its process or reaches its address, and agrees on a protocol version. */
import { pathToFileURL } from "node:url";
import type { JsonObject } from "@localharness/protocol";
import {
  type AuthProvider,
  Client,
  type CreateMessageResult,
  type ElicitResult,
  ProtocolError,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import type { AddressEntry, ServerEntry } from "../config/entry.ts";
import type { Doors } from "../doors.ts";
import type { Sampled } from "../sampling/sampling.ts";
import { asksForSignIn } from "../sign-in/sign-in-needed.ts";
import { boundedFetch, maxAnswerBytes } from "../transport/bounded-fetch.ts";
import { followPosts } from "../transport/open-posts.ts";
import { createProcessTransport, type Trouble } from "../transport/process-transport.ts";
import { anyResult } from "./any-result.ts";
import { connectFailure } from "./failure-text.ts";

/** The lists of a server. They can change while the server runs. */
export type ListName = "tools" | "prompts" | "resources";

export interface ConnectParts {
  readonly doors: Doors;
  /** The version of this program, which is sent to the server. */
  readonly version: string;
  /** The real path of the workspace. It is sent to a server that asks for roots. */
  readonly workspace: string;
  /** The time limit for the start, in milliseconds. */
  readonly startMs: number;
  readonly signal: AbortSignal;
  /** Returns the provider of the token for requests to this server; undefined if the entry has a token itself. */
  auth(entry: AddressEntry): AuthProvider | undefined;
  /** Asks the person what a server asks (elicitation); resolves to the answer in the protocol's shape. Never rejects. */
  onQuestion(params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** Answers a request of a server for an answer of the model (sampling). Never rejects. */
  onSampling(params: JsonObject, signal: AbortSignal): Promise<Sampled>;
  /** Called when a process is started. The function returns what is known of it so far. */
  onStart?(trouble: () => Trouble): void;
  onClosed(): void;
  onListChanged(list: ListName): void;
  onLog(text: string): void;
}

export interface Connection {
  readonly client: Client;
  /** True if parameters are mirrored into HTTP headers, which the newest generation of the protocol does. */
  readonly mirrors: boolean;
  /** Returns true if the server keeps a session for this connection, which it may forget. */
  hasSession(): boolean;
  /** Returns the reason why the connection closed, in words; undefined while it is open. */
  endReason(): string | undefined;
  /**
   * Resolves to all items of a list as the server sent them, but at most 2,000; to none if the server has no such list.
   * Rejects if the server refuses or does not answer within `startMs`.
   */
  list(what: ListName): Promise<readonly JsonObject[]>;
  /** From now on `onClosed` is not called for this connection, which others may still use. */
  leave(): void;
  close(): Promise<void>;
}

/**
 * The milliseconds that a child process has to answer the newest kind of handshake. After that, the older kind is
 * tried.
 */
const probeMs = 5_000;
/** The lowest level of the log messages that a server of the older protocol generation is asked to send. */
const logLevel = "info";
const maxItems = 2_000;
const maxPages = 64;

/**
 * Resolves to the connection, or to the reason why it could not be opened. The reason does not name the server. Never
 * rejects.
 */
export async function openConnection(entry: ServerEntry, parts: ConnectParts): Promise<Connection | string> {
  const attempts = attemptsFor(entry, parts);
  let failure = "";
  for (const attempt of attempts) {
    const tried = await attempt();
    if (tried.kind === "open") return tried.connection;
    failure = tried.failure;
    if (!tried.again || parts.signal.aborted) break;
  }
  return failure;
}

type Tried =
  | { readonly kind: "open"; readonly connection: Connection }
  /** `again` is true if the next way to connect may succeed. */
  | { readonly kind: "failed"; readonly failure: string; readonly again: boolean };

/**
 * Returns true if the server may have ended because of the newest kind of handshake, as some older servers do; false if npm could
 * not get it.
 */
function mayBeOlder({ ended = "", errors }: Trouble): boolean {
  return (
    /^it ended with exit code|^it was killed/.test(ended) &&
    !/\bnpm (?:error|ERR!) (?:404|network|code (?!ELIFECYCLE)[A-Z])/.test(errors)
  );
}

/** Returns the ways to connect, the newest first. */
function attemptsFor(entry: ServerEntry, parts: ConnectParts): readonly (() => Promise<Tried>)[] {
  if (entry.kind === "command") {
    const attempt = (mode: "auto" | "legacy") => async () => {
      const transport = createProcessTransport(entry, parts.doors);
      const open = { transport, trouble: transport.trouble, mode };
      parts.onStart?.(transport.trouble);
      return connect(entry, open, parts, () => mayBeOlder(transport.trouble()));
    };
    return [attempt("auto"), attempt("legacy")];
  }
  const over = (kind: "http" | "sse") => () => overHttp(entry, kind, parts);
  return entry.transport === "any" ? [over("http"), over("sse")] : [over(entry.transport)];
}

async function overHttp(entry: AddressEntry, kind: "http" | "sse", parts: ConnectParts): Promise<Tried> {
  if (!URL.canParse(entry.url) || !/^https?:$/.test(new URL(entry.url).protocol)) {
    return { kind: "failed", failure: "its url is no http or https address", again: false };
  }
  let ended: string | undefined;
  const fetch = boundedFetch(parts.doors.fetch, entry.headers, () => {
    ended = `it sent an answer of more than ${maxAnswerBytes / 1024 / 1024} MB, so the connection was closed`;
    void transport.close();
  });
  const url = new URL(entry.url);
  const authProvider = parts.auth(entry);
  const posts = followPosts(fetch);
  const options = {
    fetch: kind === "sse" ? posts.fetch : fetch,
    ...(authProvider === undefined ? {} : { authProvider }),
  };
  const transport =
    kind === "http"
      ? new StreamableHTTPClientTransport(url, { ...options, onInsufficientScope: "throw" })
      : new SSEClientTransport(url, options);
  const trouble = (): Trouble => ({ ended, junkLines: 0, errors: "" });
  const open: Opening = {
    transport: transport as Transport,
    trouble,
    mode: kind === "http" ? "auto" : "legacy",
    hasSession: () => !("sessionId" in transport) || transport.sessionId !== undefined,
    async isLost(error) {
      // The library would connect again by itself, but the server would not know the new connection, because it got no
      // handshake. What it has taken gets no answer; what it refuses can be sent again.
      if (kind !== "sse" || !(error instanceof SseError)) return false;
      ended ??= "its stream of events ended";
      await posts.answered();
      return true;
    },
  };
  return connect(entry, open, parts, (error) => error instanceof SdkHttpError && !asksForSignIn(error));
}

interface Opening {
  readonly transport: Transport;
  readonly mode: "auto" | "legacy";
  trouble(): Trouble;
  hasSession?(): boolean;
  /**
   * Resolves to true if an error that belongs to no request means that the connection is of no use any more, as soon as it
   * can be closed.
   */
  isLost?(error: Error): Promise<boolean>;
}

/** Resolves or rejects as `work` does, but rejects as soon as the signal aborts. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(new Error("the start was stopped"));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    await Promise.race([work, stopped.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
    // After the signal nobody waits for the work, and its failure says nothing new.
    work.catch(() => undefined);
  }
}

async function connect(
  entry: ServerEntry,
  { transport, mode, trouble, hasSession, isLost }: Opening,
  parts: ConnectParts,
  again: (error: unknown) => boolean,
): Promise<Tried> {
  const client = createClient(
    parts,
    entry.sampling === true,
    mode,
    "pid" in transport ? Math.min(probeMs, parts.startMs) : parts.startMs,
  );
  const started = performance.now();
  try {
    const connected = client.connect(transport, { timeout: parts.startMs, signal: parts.signal });
    // The first request of a connection over HTTP does not obey the signal.
    await untilAborted(connected, parts.signal);
  } catch (error) {
    const failure = connectFailure(error, entry, performance.now() - started, trouble());
    const isWorthIt = again(error);
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
    return { kind: "failed", failure, again: isWorthIt };
  }
  if (client.getProtocolEra() === "legacy" && client.getServerCapabilities()?.logging !== undefined) {
    // A server that refuses the level sends the messages that it wants.
    void client.setLoggingLevel(logLevel, { timeout: parts.startMs }).catch(() => undefined);
  }
  let open = true;
  let isLeft = false;
  client.onclose = () => {
    if (!open) return;
    open = false;
    if (!isLeft) parts.onClosed();
  };
  client.onerror = (error) => {
    void isLost?.(error)
      .then((lost) => (lost ? client.close() : undefined))
      .catch(() => undefined);
    if (trouble().ended === undefined || isLeft || !open) return;
    isLeft = true;
    parts.onClosed();
  };
  const connection: Connection = {
    client,
    hasSession: () => hasSession?.() === true,
    mirrors: entry.kind === "address" && client.getProtocolEra() === "modern",
    endReason: () => trouble().ended ?? (open ? undefined : "it closed the connection"),
    list: (what) => listAll(client, what, parts),
    leave() {
      isLeft = true;
    },
    async close() {
      open = false;
      await client.close().catch(() => undefined);
    },
  };
  return { kind: "open", connection };
}

function createClient(
  parts: ConnectParts,
  samples: boolean,
  mode: "auto" | "legacy",
  timeoutMs: number,
): Client {
  const { version, workspace } = parts;
  const changed = (list: ListName) => ({ autoRefresh: false, onChanged: () => parts.onListChanged(list) });
  const client = new Client(
    { name: "localharness", version },
    {
      capabilities: {
        roots: {},
        elicitation: { form: { applyDefaults: true }, url: {} },
        ...(samples ? { sampling: {} } : {}),
      },
      versionNegotiation: { mode, probe: { timeoutMs } },
      listChanged: { tools: changed("tools"), prompts: changed("prompts"), resources: changed("resources") },
    },
  );
  client.setRequestHandler("roots/list", () => ({
    roots: [{ uri: pathToFileURL(workspace).href, name: "workspace" }],
  }));
  client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
    const answer = await parts.onQuestion(params as unknown as JsonObject, mcpReq.signal);
    return answer as unknown as ElicitResult;
  });
  if (samples) {
    client.setRequestHandler("sampling/createMessage", async ({ params }, { mcpReq }) => {
      const sampled = await parts.onSampling(params as unknown as JsonObject, mcpReq.signal);
      if (!sampled.ok) throw new ProtocolError(sampled.code, sampled.message);
      return sampled.result as unknown as CreateMessageResult;
    });
  }
  client.setNotificationHandler("notifications/message", ({ params }) => {
    const { level, data } = params;
    parts.onLog(`${level}: ${typeof data === "string" ? data : JSON.stringify(data)}`);
  });
  return client;
}

/** Returns the items of a list, from at most 64 pages. Items that are not objects are left out. */
async function listAll(client: Client, what: ListName, { startMs, signal }: ConnectParts) {
  if (client.getServerCapabilities()?.[what] === undefined) return [];
  const items: JsonObject[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= maxPages && items.length < maxItems; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: `${what}/list`, params }, anyResult, {
      timeout: startMs,
      signal,
    });
    const found = answer[what];
    if (Array.isArray(found)) for (const one of found) if (isObject(one)) items.push(one);
    const next = answer["nextCursor"];
    if (typeof next !== "string" || next === "" || next === cursor) break;
    cursor = next;
  }
  return items.slice(0, maxItems);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
