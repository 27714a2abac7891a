/** Checks what `localharness serve` does with bytes on a socket: requests that hide others, foreign names, another user. */
import { execFileSync } from "node:child_process";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { argumentsFor, serveModel } from "./serve-model.ts";
import { serve } from "./served.ts";

const served = await serve(argumentsFor(await serveModel()));
afterAll(() => served[Symbol.asyncDispose]());
const { host, port } = new URL(served.address);

/** Sends the bytes, and resolves to everything that the server sends until the connection ends. */
async function send(bytes: string): Promise<string> {
  const socket = connect(Number(port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(bytes);
  return text(socket.setEncoding("latin1")).catch(() => "");
}

const statuses = (replies: string) => [...replies.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, code]) => code);
const head = (line: string, headers: readonly string[], name = host) =>
  [`${line} HTTP/1.1`, `Host: ${name}`, ...headers, "", ""].join("\r\n");
const json = "Content-Type: application/json";
const key = `Authorization: Bearer ${served.token}`;
/** A request that opens a session, with the token: it has an effect if the server takes it as a request. */
const hidden = `${head("POST /api/sessions", [json, key, "Content-Length: 2", "Connection: close"])}{}`;
const post = (headers: readonly string[], body: string) => head("POST /api/pair", [json, ...headers]) + body;
const chunked = "Transfer-Encoding: chunked";

async function openSessions(): Promise<number> {
  return (await served.request("GET", "/api/hub")).json.open.length;
}

test.each([
  ["a length and chunks", post([`Content-Length: ${5 + hidden.length}`, chunked], `0\r\n\r\n${hidden}`)],
  ["chunks and a length", post([chunked, "Content-Length: 5"], `0\r\n\r\n${hidden}`)],
  ["two lengths", post(["Content-Length: 2", `Content-Length: ${2 + hidden.length}`], `{}${hidden}`)],
  ["a length with a sign", post(["Content-Length: +2"], `{}${hidden}`)],
  ["an unknown coding", post(["Transfer-Encoding: xchunked"], `0\r\n\r\n${hidden}`)],
  ["chunks that are coded again", post(["Transfer-Encoding: chunked, gzip"], `0\r\n\r\n${hidden}`)],
  ["a space before the colon", post(["Transfer-Encoding : chunked"], `0\r\n\r\n${hidden}`)],
  ["a size that is no number", post([chunked], `0x0\r\n\r\n${hidden}`)],
  ["a size beyond all bounds", post([chunked], `ffffffffffffffffff\r\n${hidden}`)],
  ["a chunk that is longer than its size", post([chunked], `1\r\n{}\r\n0\r\n\r\n${hidden}`)],
  ["lines that end in a line feed", post([chunked], `0\r\n\r\n`).replaceAll("\r\n", "\n") + hidden],
  ["a carriage return in a header", post([`X: a\r${hidden.replaceAll("\r\n", "\r")}`], "")],
])("%s hide no request: the first is refused, and no other is read", async (_, bytes) => {
  const before = await openSessions();
  expect(statuses(await send(bytes))).toEqual(["400"]);
  expect(await openSessions()).toBe(before);
});

test("a request in the chunks of a body is a body", async () => {
  const before = await openSessions();
  const body = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
  expect(statuses(await send(post([chunked, "Connection: close"], body)))).toEqual(["400"]);
  expect(await openSessions()).toBe(before);
  // The same bytes as a request open a session, so that the cases above could fail.
  expect(statuses(await send(hidden))).toEqual(["201"]);
  expect(await openSessions()).toBe(before + 1);
});

test.each([
  ["a rebound name", head("GET /api/hub", [key], `rebound.example:${port}`), "403"],
  ["a rebound name of the socket", upgrade(`rebound.example:${port}`), "403"],
  ["an absolute target", head(`GET http://${host}/api/hub`, [key]), "400"],
  ["two names", head("GET /api/hub", [key, "Host: rebound.example"]), "400"],
])("%s is refused, also with the token", async (_, bytes, status) => {
  expect(statuses(await send(bytes))).toEqual([status]);
});

function upgrade(name: string): string {
  const socket = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"];
  return head("GET /ws", [...socket, "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", key], name);
}

test.skipIf(process.platform !== "linux" || process.getuid?.() !== 0)(
  "another user of the machine reaches the port, and gets nothing from it",
  () => {
    const script = 'exec 3<>"/dev/tcp/127.0.0.1/$1"; printf %s "$2" >&3; exec cat <&3';
    const nobody = { uid: 65_534, gid: 65_534, cwd: "/", encoding: "utf8" } as const;
    const asNobody = (bytes: string) =>
      execFileSync("/bin/bash", ["-c", script, "bash", port, bytes], nobody);
    const closing = "Connection: close";
    for (const path of ["/api/hub", "/api/sessions", "/api/files", "/api/openapi.json"]) {
      expect(statuses(asNobody(head(`GET ${path}`, [closing])))).toEqual(["401"]);
    }
    const codes = `${head("POST /api/codes", [json, closing, "Content-Length: 2"])}{}`;
    expect(statuses(asNobody(codes))).toEqual(["401"]);
    expect(statuses(asNobody(upgrade(host).replace(`${key}\r\n`, "")))).toEqual(["401"]);
  },
);
