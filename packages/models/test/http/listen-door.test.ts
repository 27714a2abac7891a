/**
 * The module that listens, tested over raw sockets: wrong hosts, origins and callers, broken and huge frames, ends
 * that do not read.
 */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import type { FrameSocket } from "../../src/http/frame-socket.ts";
import { type Listening, listen } from "../../src/http/listen-door.ts";
import { openSocket } from "../../src/http/socket-door.ts";

const token = "right-token";
interface Taken {
  readonly socket: FrameSocket;
  readonly texts: string[];
  /** Resolves to the reason when the connection has ended. */
  readonly closed: Promise<string>;
}
const taken: Taken[] = [];
const door: Listening = await listen<string>({
  host: "127.0.0.1",
  port: 0,
  authorize: async ({ headers }) => (headers.authorization === `Bearer ${token}` ? "caller" : undefined),
  onRequest: (_request, response) => response.end("plain"),
  sockets: {
    path: "/ws",
    take(socket) {
      const texts: string[] = [];
      const closed = new Promise<string>((resolve) =>
        socket.listen({ onText: (text) => texts.push(text), onClosed: resolve }),
      );
      taken.push({ socket, texts, closed });
    },
  },
});
afterAll(() => door.close());
const host = `127.0.0.1:${door.port}`;

/** Returns the head of an upgrade with these lines replaced or, if `undefined`, left out. */
function upgrade(lines: Readonly<Record<string, string | undefined>> = {}, path = "/ws"): string {
  const all: Readonly<Record<string, string | undefined>> = {
    Host: host,
    Upgrade: "websocket",
    Connection: "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
    Authorization: `Bearer ${token}`,
    ...lines,
  };
  const text = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\r\n`],
  );
  return `GET ${path} HTTP/1.1\r\n${text.join("")}\r\n`;
}

interface Raw {
  readonly socket: Socket;
  /** Returns everything that came. */
  received(): Buffer;
  /** Resolves when the text has come. */
  came(text: string): Promise<void>;
  readonly ended: Promise<void>;
}

function raw(send: string | Buffer, port = door.port): Raw {
  const socket = connect(port, "127.0.0.1");
  let bytes = Buffer.alloc(0);
  socket.on("data", (piece) => {
    bytes = Buffer.concat([bytes, piece]);
  });
  socket.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.write(send);
  return {
    socket,
    received: () => bytes,
    came: (text) => expect.poll(() => bytes.toString("latin1")).toContain(text) as unknown as Promise<void>,
    ended,
  };
}

/** Opens a WebSocket by hand and resolves to the raw connection and the door's end of it. */
async function opened(): Promise<{ readonly wire: Raw; readonly end: Taken }> {
  const before = taken.length;
  const wire = raw(upgrade());
  await wire.came("101 Switching Protocols");
  await expect.poll(() => taken.length).toBe(before + 1);
  const end = taken[before];
  if (end === undefined) throw new Error("no connection was taken");
  return { wire, end };
}

/** Returns the status code of the close frame that the door has sent. */
function closeCode(wire: Raw): number | undefined {
  const bytes = wire.received();
  const at = bytes.indexOf("\r\n\r\n") + 4;
  for (let next = at; next + 1 < bytes.length; ) {
    const [first = 0, length = 0] = [bytes[next], bytes[next + 1]];
    if ((first & 0x0f) === 8) return bytes.readUInt16BE(next + 2);
    next += 2 + (length & 0x7f);
  }
  return undefined;
}

/** Returns a text frame as a client sends it. */
function frame(text: string, first = 0x81): Buffer {
  const mask = randomBytes(4);
  const body = Buffer.from(text).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([Buffer.from([first, 0x80 | body.length]), mask, body]);
}

describe("a connection is refused", () => {
  const cases: readonly (readonly [string, Readonly<Record<string, string | undefined>>, number, string?])[] =
    [
      ["without a token", { Authorization: undefined }, 401],
      ["with a wrong token", { Authorization: "Bearer wrong-token" }, 401],
      ["with a token of another kind", { Authorization: `Basic ${token}` }, 401],
      ["for another host", { Host: "example.com" }, 403],
      ["for a host that only begins like ours", { Host: `127.0.0.1.example.com:${door.port}` }, 403],
      ["for another port", { Host: "127.0.0.1:1" }, 403],
      ["without a host", { Host: undefined }, 400],
      ["from a page of another origin", { Origin: "http://example.com" }, 403],
      ["from a page of another port here", { Origin: "http://127.0.0.1:3000" }, 403],
      ["from a file", { Origin: "null" }, 403],
      ["at another path", {}, 404, "/other"],
      ["at a path with a token in it", { Authorization: undefined }, 404, `/ws?token=${token}`],
    ];
  test.each(cases.map((one) => ({ one })))("$one.0", async ({ one: [, lines, status, path] }) => {
    const before = taken.length;
    const wire = raw(upgrade(lines, path));
    await wire.ended;
    expect(wire.received().toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(taken).toHaveLength(before);
  });

  test("with two hosts", async () => {
    const wire = raw(upgrade({ Host: `${host}\r\nHost: example.com` }));
    await wire.ended;
    expect(wire.received().toString()).toMatch(/^HTTP\/1.1 400 /);
  });

  test("a plain request for another host or origin is refused too", async () => {
    for (const line of ["Host: example.com", `Host: ${host}\r\nOrigin: http://example.com`]) {
      const wire = raw(`GET /pair HTTP/1.1\r\n${line}\r\n\r\n`);
      await wire.ended;
      expect(wire.received().toString()).toMatch(/^HTTP\/1.1 403 /);
    }
  });
});

describe("a connection ends, and the others go on", () => {
  const oneGigabyte = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 1, 2, 3, 4]);
  const cases: readonly (readonly [string, Buffer, number])[] = [
    ["a frame without a mask", Buffer.from("810548656c6c6f", "hex"), 1002],
    ["a header that announces 1 GiB", oneGigabyte, 1009],
    ["a compressed frame, which was not agreed on", frame("bomb", 0xc1), 1002],
    ["a reserved kind of frame", frame("x", 0x83), 1002],
    ["a continuation without a beginning", frame("x", 0x80), 1002],
    ["text that is no UTF-8", Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xff, 0xff]), 1007],
    ["a binary frame", frame("x", 0x82), 1003],
  ];
  test.each(cases)("after %s", async (_what, bytes, code) => {
    const other = await opened();
    const { wire, end } = await opened();
    const before = process.memoryUsage().rss;
    wire.socket.write(bytes);
    await expect.poll(() => closeCode(wire)).toBe(code);
    await end.closed;
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    other.wire.socket.write(frame("still here"));
    await expect.poll(() => other.end.texts).toEqual(["still here"]);
    other.wire.socket.destroy();
  });

  test("that is half closed", async () => {
    const { wire, end } = await opened();
    wire.socket.write(frame("last"));
    wire.socket.end();
    await end.closed;
    expect(end.texts).toEqual(["last"]);
  });

  test.each([
    ["large", 1024 * 1024, 100],
    ["small", 190, 100_000],
  ])("that never reads %s frames, when they take 48 MB", async (_what, chars, most) => {
    const { wire, end } = await opened();
    wire.socket.pause();
    const before = process.memoryUsage().rss;
    const text = "x".repeat(chars);
    let sent = 0;
    const refused = new Promise<void>((resolve) => {
      const more = () => {
        for (const next = sent + Math.max(1, 19_000 / chars); sent < next && sent < 2 * most; sent += 1) {
          end.socket.send(text).catch(() => resolve());
        }
        if (sent < 2 * most) setImmediate(more);
        else resolve();
      };
      more();
    });
    await refused;
    expect(sent).toBeLessThan(most);
    expect(await end.closed).toBe("the other end does not read what is sent");
    expect(process.memoryUsage().rss - before).toBeLessThan(160 * 1024 * 1024);
    wire.socket.destroy();
  });
});

test("texts that come before somebody listens wait for the listener", async () => {
  const { promise: arrived, resolve: take } = Promise.withResolvers<FrameSocket>();
  const quiet = await listen<string>({
    host: "127.0.0.1",
    port: 0,
    authorize: async () => "caller",
    sockets: { path: "/ws", take },
  });
  onTestFinished(() => quiet.close());
  const head = upgrade({ Host: `127.0.0.1:${quiet.port}` });
  const wire = raw(Buffer.concat([Buffer.from(head), frame("first"), frame("second")]), quiet.port);
  const socket = await arrived;
  const { wire: other } = await opened();
  other.socket.destroy();
  const texts: string[] = [];
  socket.listen({ onText: (text) => texts.push(text), onClosed: () => undefined });
  wire.socket.write(frame("third"));
  await expect.poll(() => texts).toContain("third");
  expect(texts).toEqual(["first", "second", "third"]);
  wire.socket.destroy();
});

describe("both ends of the program", () => {
  test("exchange texts of some megabytes, and measure the delay", async () => {
    const before = taken.length;
    const near = await openSocket(
      `ws://${host}/ws`,
      { authorization: `Bearer ${token}` },
      new AbortController().signal,
    );
    const got: string[] = [];
    near.listen({ onText: (text) => got.push(text), onClosed: () => undefined });
    await expect.poll(() => taken.length).toBe(before + 1);
    const far = taken[before];
    await near.send("ä".repeat(3_000_000));
    await expect.poll(() => far?.texts.map((text) => text.length)).toEqual([3_000_000]);
    await far?.socket.send("back");
    await expect.poll(() => got).toEqual(["back"]);
    await expect.poll(() => near.latency()).toBeGreaterThanOrEqual(0);
    near.close(1000, "done");
    expect(await far?.closed).toBe("the other end closed the connection: done");
    await expect(near.send("late")).rejects.toThrow(/closed/);
  });

  test.each<readonly [string, string, RegExp]>([
    ["a wrong token", `ws://${host}/ws`, /does not know this token/],
    ["another path", `ws://${host}/x`, /status 404/],
    ["nobody there", "ws://127.0.0.1:1/ws", /ECONNREFUSED/],
  ])("a connection that fails says why: %s", async (_what, url, reason) => {
    const headers = { authorization: "Bearer wrong" };
    await expect(openSocket(url, headers, new AbortController().signal)).rejects.toThrow(reason);
  });
});

test.each(["0.0.0.0", "[::]", "127.0.0.1.example.com", "10.0.0.1"])(
  "listening on %s needs TLS",
  async (host) => {
    const opening = listen({ host, port: 0, authorize: async () => undefined });
    await expect(opening).rejects.toThrow(/TLS is needed/);
  },
);

/** Makes a certificate for these names. */
function certificateFor(names: string): { readonly cert: string; readonly key: string } {
  const folder = mkdtempSync(join(tmpdir(), "lh-door-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const subject = ["-subj", "/CN=box", "-addext", `subjectAltName=${names}`];
  execFileSync("openssl", ["req", ...kind, "-keyout", key, "-out", cert, ...subject], { stdio: "ignore" });
  return { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
}

test("names count as clients write them, however the person or the certificate writes them", async () => {
  const tls = certificateFor("DNS:Box.Example,IP:fd00::1");
  const named = await listen({ host: "LocalHost", port: 0, tls, authorize: async () => undefined });
  onTestFinished(() => named.close());
  const statusFor = async (name: string) => {
    const asked = request({
      host: "localhost",
      port: named.port,
      ca: tls.cert,
      checkServerIdentity: () => undefined,
      headers: { host: `${name}:${named.port}` },
    }).end();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  for (const name of ["localhost", "127.0.0.1", "[::1]", "box.example", "Box.Example", "[fd00::1]"]) {
    expect(await statusFor(name), name).toBe(404);
  }
  expect(await statusFor("[fd00::2]")).toBe(403);
  expect(named.address).toBe(`wss://localhost:${named.port}`);
});
