/** Servers over HTTP: the real server-everything with both transports, and bad servers on loopback. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterAll, describe, expect, test } from "vitest";
import { openPeers, peer } from "./open-peer.ts";

const everything = join(
  import.meta.dirname,
  "../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
);
const children: ChildProcess[] = [];
const closers: (() => void)[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  for (const close of closers) close();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Starts the real server and resolves to its port. */
async function startReal(mode: "streamableHttp" | "sse"): Promise<number> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [everything, mode], { env, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let said = "";
  await new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk) => {
        said += String(chunk);
        if (/listening|running/i.test(said)) resolve();
      });
    }
  });
  return port;
}

describe("the real server-everything", () => {
  test.each([
    ["streamableHttp", "mcp", {}],
    ["streamableHttp", "mcp", { type: "http" }],
    ["sse", "sse", {}],
    ["sse", "sse", { type: "sse" }],
  ] as const)("%s at /%s with %j", async (mode, path, more) => {
    const port = await startReal(mode);
    const opened = await openPeers({ s: { url: `http://127.0.0.1:${port}/${path}`, ...more } });
    expect(opened.told).toEqual([expect.stringContaining('"simulate-research-query" is left out')]);
    expect(await opened.call("s__echo", { message: "over HTTP" })).toEqual({
      ok: true,
      data: "Echo: over HTTP",
    });
    const slow = await opened.call("s__trigger-long-running-operation", { duration: "1", steps: "2" });
    expect(slow).toMatchObject({ ok: false });
    await opened.close();
  });
});

/** Answers the handshake of an older server, and calls by `answer`. */
async function startBad(
  answer: (response: ServerResponse, message: { id: number }) => void,
): Promise<number> {
  const server = createServer(async (request, response) => {
    const message = await bodyOf(request);
    const result = (value: object) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: value }));
    };
    switch (message.method) {
      case "initialize": {
        const serverInfo = { name: "bad", version: "1" };
        return result({ protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo });
      }
      case "tools/list":
        return result({ tools: [{ name: "t", inputSchema: { type: "object" } }] });
      case "tools/call":
        return answer(response, message);
      case "server/discover":
        response.statusCode = 400;
        return response.end(
          JSON.stringify({ jsonrpc: "2.0", id: message.id, error: { code: -32601, message: "no" } }),
        );
      default:
        response.statusCode = request.method === "GET" ? 405 : 202;
        return response.end();
    }
  });
  return listen(server);
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function bodyOf(request: IncomingMessage): Promise<{ id: number; method?: string }> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text === "" ? { id: 0 } : JSON.parse(text);
}

/** Writes `megabytes` of text, as fast as the reader takes it. */
async function pour(response: ServerResponse, megabytes: number): Promise<void> {
  const chunk = Buffer.alloc(1024 * 1024, "x");
  const chunks = Array.from({ length: megabytes }, () => chunk);
  await pipeline(Readable.from(chunks), response).catch(() => undefined);
}

describe("a call of a bad server ends in one sentence", () => {
  const cases: readonly (readonly [
    what: string,
    answer: (response: ServerResponse, message: { id: number }) => void,
    message: RegExp,
  ])[] = [
    [
      "100 MB as JSON",
      (response) => {
        response.setHeader("content-type", "application/json");
        void pour(response, 100);
      },
      /gave no answer to the call of t: it sent an answer of more than 16 MB, so the connection was closed/,
    ],
    [
      "100 MB in one event",
      (response) => {
        response.setHeader("content-type", "text/event-stream");
        response.write("data: ");
        void pour(response, 100);
      },
      /gave no answer to the call of t: it sent an answer of more than 16 MB, so the connection was closed/,
    ],
    [
      "an error page",
      (response) => void response.writeHead(500).end("<h1>broken</h1>"),
      /gave no usable answer to the call of t: .*HTTP status 500/,
    ],
    [
      "a page",
      (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>hi"),
      /gave no usable answer to the call of t: .*text\/html/,
    ],
    [
      "a cut connection",
      (response) => void response.destroy(),
      /gave no usable answer to the call of t: .*(socket hang up|closed|ECONNRESET)/,
    ],
    ["nothing", () => undefined, /did not answer the call of t within 1 s/],
    [
      "a sign-in",
      (response) => void response.writeHead(401).end(),
      /the MCP server s: it asks you to sign in, with: localharness mcp login s$/,
    ],
    [
      "a redirect to another server",
      (response) => void response.writeHead(307, { location: "http://127.0.0.1:9/x" }).end(),
      /gave no usable answer to the call of t: .*redirect/i,
    ],
  ];
  test.each(cases)("%s", async (what, answer, message) => {
    const url = `http://127.0.0.1:${await startBad(answer)}/mcp`;
    const opened = await openPeers({ s: { url }, p: peer() }, { callMs: what === "nothing" ? 1000 : 30_000 });
    expect(opened.told).toEqual([]);
    expect(await opened.call("s__t")).toEqual({
      ok: false,
      errorType: expect.any(String),
      message: expect.stringMatching(message),
    });
    expect(await opened.call("p__echo", { text: "on" })).toEqual({ ok: true, data: "echo: on" });
    await opened.close();
  });
});

test("a server that asks for a sign-in at the start says so, with the command for it", async () => {
  const port = await listen(
    createServer(
      (_request, response) => void response.writeHead(401, { "www-authenticate": "Bearer" }).end(),
    ),
  );
  const opened = await openPeers({ s: { url: `http://127.0.0.1:${port}/mcp` } });
  expect(opened.told).toEqual([
    "the MCP server s cannot be used: it asks you to sign in, with: localharness mcp login s",
  ]);
});

test("the headers of an entry are sent, with variables in them", async () => {
  const seen: (string | undefined)[] = [];
  const port = await listen(
    createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401).end();
    }),
  );
  const headers = { Authorization: "Bearer $" + "{T}" };
  await openPeers({ s: { url: `http://127.0.0.1:${port}/`, headers } }, { environment: { T: "abc" } });
  expect(new Set(seen)).toEqual(new Set(["Bearer abc"]));
});
