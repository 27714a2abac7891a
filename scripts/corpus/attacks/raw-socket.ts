/** A client that sends exactly the given bytes, and reads what comes back without repairing anything. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface RawSocket {
  readonly socket: Socket;
  /** Returns the bytes that came. */
  received(): Buffer;
  /** Resolves to true when the bytes so far are accepted, and to false when the time is over or the connection has ended. */
  until(accepts: (bytes: Buffer) => boolean, ms: number): Promise<boolean>;
  /** The time of the close in milliseconds of `performance.now()`; undefined while it is open. */
  closedAt(): number | undefined;
}

export async function openRaw(port: number): Promise<RawSocket> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: false });
  const pieces: Buffer[] = [];
  let closedAt: number | undefined;
  socket.on("data", (piece) => pieces.push(piece));
  socket.on("error", () => undefined);
  socket.on("close", () => {
    closedAt = performance.now();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  const received = () => Buffer.concat(pieces);
  return {
    socket,
    received,
    closedAt: () => closedAt,
    async until(accepts, ms) {
      for (const end = performance.now() + ms; performance.now() < end; await sleep(5)) {
        if (accepts(received())) return true;
        if (closedAt !== undefined) return accepts(received());
      }
      return false;
    },
  };
}

export interface RawReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Returns the first reply in the bytes; undefined until its head is complete. */
export function readReply(bytes: Buffer): RawReply | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
  return { status: Number(first.split(" ")[1]), headers, body: bytes.subarray(end + 4) };
}

/** Returns true when the body is as long as the head says, or without a length, when the last chunk has come. */
export function isComplete(bytes: Buffer): boolean {
  const reply = readReply(bytes);
  if (reply === undefined) return false;
  const length = reply.headers.get("content-length");
  return length === undefined ? reply.body.includes("\r\n0\r\n\r\n") : reply.body.length >= Number(length);
}

/** Returns the code of the first close frame, 1005 if the frame has no code; undefined when there is no close frame. */
export function closeCode(frames: Buffer): number | undefined {
  let at = 0;
  while (at + 2 <= frames.length) {
    const opcode = (frames[at] ?? 0) & 0x0f;
    const short = (frames[at + 1] ?? 0) & 0x7f;
    const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
    if (at + 2 + extra > frames.length) return undefined;
    const length =
      extra === 0
        ? short
        : extra === 2
          ? frames.readUInt16BE(at + 2)
          : Number(frames.readBigUInt64BE(at + 2));
    const start = at + 2 + extra;
    if (opcode === 8 && length < 2) return 1005;
    if (opcode === 8) return start + 2 <= frames.length ? frames.readUInt16BE(start) : undefined;
    at = start + length;
  }
  return undefined;
}

/** Connects to the events of a session as a WebSocket client. Resolves after 10 s even if the server has not accepted it. */
export async function openWatcher(
  { port, token }: { readonly port: number; readonly token: string },
  session: string,
): Promise<RawSocket> {
  const raw = await openRaw(port);
  const head = [
    `GET /ws?session=${session} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
    `Authorization: Bearer ${token}`,
  ];
  raw.socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await raw.until((bytes) => readReply(bytes)?.status === 101, 10_000);
  return raw;
}
