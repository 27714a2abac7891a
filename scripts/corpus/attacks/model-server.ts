/** A model server on loopback that answers with exactly the given bytes, and records the requests. */
import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

export interface SeenRequest {
  readonly path: string;
  readonly head: string;
  readonly body: JsonObject;
  /** The time of arrival, in milliseconds of `performance.now()`. */
  readonly arrivedAt: number;
  answeredAt?: number;
}

/** Answers one chat request and closes the connection. */
export type Reply = (socket: Socket, request: SeenRequest) => Promise<void>;

export interface ModelServer extends AsyncDisposable {
  readonly port: number;
  /** The chat requests, in order. */
  readonly seen: readonly SeenRequest[];
  /** Returns everything that was sent to the server, as text. */
  received(): string;
}

/** Starts a server. `choose` returns the reply to chat request number `count`, from 0. Other requests get a 404. */
export async function startModelServer(
  choose: (request: SeenRequest, count: number) => Reply | Promise<Reply>,
): Promise<ModelServer> {
  const seen: SeenRequest[] = [];
  const heard: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("close", () => sockets.delete(socket));
    // The program may disconnect in the middle of an answer.
    socket.on("error", () => undefined);
    readRequests(socket, heard, async (request) => {
      if (!isChat(request)) {
        await put(socket, [notFound]);
        return;
      }
      const reply = await choose(request, seen.push(request) - 1);
      await reply(socket, request);
      request.answeredAt = performance.now();
    });
  });
  const port = await listen(server);
  return {
    port,
    seen,
    received: () => Buffer.concat(heard).toString("latin1"),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const notFound = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";

function listen(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

function isChat(request: SeenRequest): boolean {
  return request.path.endsWith("/chat/completions") || request.path === "/api/chat";
}

function readRequests(
  socket: Socket,
  heard: Buffer[],
  handle: (request: SeenRequest) => Promise<void>,
): void {
  let pieces: Buffer[] = [];
  let length = 0;
  let wanted = 0;
  socket.on("data", (piece) => {
    heard.push(piece);
    pieces.push(piece);
    length += piece.length;
    if (length < wanted) return;
    const bytes = Buffer.concat(pieces);
    const end = bytes.indexOf("\r\n\r\n");
    if (end === -1) return;
    const head = bytes.subarray(0, end).toString("latin1");
    wanted = end + 4 + Number(/^content-length:\s*(\d+)/im.exec(head)?.[1] ?? 0);
    if (bytes.length < wanted) {
      pieces = [bytes];
      return;
    }
    const body = bytes.subarray(end + 4, wanted).toString("utf8");
    pieces = [bytes.subarray(wanted)];
    length = pieces[0]?.length ?? 0;
    wanted = 0;
    void handle({ path: pathOf(head), head, body: parsed(body), arrivedAt: performance.now() }).catch(() =>
      socket.destroy(),
    );
  });
}

function pathOf(head: string): string {
  return head.split(" ")[1] ?? "/";
}

function parsed(text: string): JsonObject {
  try {
    const value: JsonValue = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Writes pieces as fast as the other end reads them. Returns false when it disconnected before the end. */
export async function put(socket: Socket, pieces: Iterable<string | Buffer>): Promise<boolean> {
  for (const piece of pieces) {
    if (socket.destroyed) return false;
    if (!socket.write(piece)) await drained(socket);
  }
  return !socket.destroyed;
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off("drain", done);
      socket.off("close", done);
      resolve();
    };
    socket.on("drain", done);
    socket.on("close", done);
  });
}

const streamHead =
  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";

/** Replies with calls as an OpenAI-compatible server streams them, with exactly the given arguments, after `text`. */
export function callsReply(
  calls: readonly { readonly name: string; readonly argumentsText: string }[],
  text = "",
): Reply {
  const deltas = calls.map(({ name, argumentsText }, index) => ({
    tool_calls: [
      { index, id: `call_${index}_${name}`, type: "function", function: { name, arguments: argumentsText } },
    ],
  }));
  return stream(text === "" ? deltas : [{ content: text }, ...deltas], "tool_calls");
}

export function textReply(text: string): Reply {
  return stream([{ content: text }], "stop");
}

function stream(deltas: readonly JsonObject[], finish: string): Reply {
  const events = [...deltas.map((delta) => ({ delta, finish: null })), { delta: {}, finish }];
  const lines = events.map(({ delta, finish: finish_reason }) => {
    const choices = [{ index: 0, delta, finish_reason }];
    return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices })}\n\n`;
  });
  return async (socket) => {
    const parts = [...lines, "data: [DONE]\n\n"].map(
      (line) => `${Buffer.byteLength(line).toString(16)}\r\n${line}\r\n`,
    );
    await put(socket, [streamHead, ...parts, "0\r\n\r\n"]);
    socket.end();
  };
}

/** Waits, unless the other end disconnects first. */
export async function hold(socket: Socket, ms: number): Promise<void> {
  const over = new AbortController();
  socket.once("close", () => over.abort());
  await sleep(ms, undefined, { signal: over.signal }).catch(() => undefined);
}
