import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { HttpFailure } from "../../src/http/http.ts";
import { createNodeHttp } from "../../src/http/node-http.ts";

const never = () => new AbortController().signal;

async function withServer(listener: RequestListener, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function get(url: string, options = {}): Promise<(string | HttpFailure)[] | HttpFailure> {
  const answer = await createNodeHttp(options).send({ method: "GET", url, headers: {} }, never());
  if (answer.kind !== "response") return answer;
  const parts: (string | HttpFailure)[] = [];
  for await (const part of answer.parts) parts.push(part);
  return parts;
}

describe("createNodeHttp", () => {
  it("decodes characters that are cut by the network", async () => {
    await withServer(
      async (_request, response) => {
        for (const byte of Buffer.from("é 世 🌍")) {
          response.write(Buffer.from([byte]));
          await new Promise(setImmediate);
        }
        response.end();
      },
      async (url) => {
        const parts = await get(url);
        expect(Array.isArray(parts) && parts.join("")).toBe("é 世 🌍");
      },
    );
  });

  it("refuses a compressed answer", async () => {
    await withServer(
      (_request, response) => {
        response.writeHead(200, { "content-encoding": "gzip" });
        response.end(gzipSync(Buffer.alloc(10_000_000)));
      },
      async (url) => {
        const origin = url.slice(0, -3);
        const message = `${origin} answered with content-encoding gzip, which was not asked for.`;
        expect(await get(url)).toEqual([{ kind: "unreadable", message }]);
      },
    );
  });

  it.each(["", "Identity"])("reads an answer of the encoding %j, which is none", async (encoding) => {
    await withServer(
      (_request, response) => response.writeHead(200, { "content-encoding": encoding }).end("plain"),
      async (url) => expect(await get(url)).toEqual(["plain"]),
    );
  });

  it("does not wait for a server that switches to another protocol", async () => {
    const server = createSocketServer((socket) => {
      socket.once("data", () =>
        socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    expect(await get(url)).toMatchObject({ kind: "dropped" });
    server.close();
  });

  it("stops reading an answer that is too long", async () => {
    await withServer(
      (_request, response) => {
        const more = () => {
          while (response.write("x".repeat(64 * 1024)));
          response.once("drain", more);
        };
        more();
      },
      async (url) => {
        const parts = await get(url, { maxAnswerChars: 1_000_000 });
        expect(Array.isArray(parts) && parts.at(-1)).toMatchObject({ kind: "unreadable" });
      },
    );
  });

  it("gives up on a connection that is not established in time", async () => {
    // TLS is part of connecting, and this server never starts it.
    const silent = createSocketServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
    const answer = await get(url, { connectMs: 80 });
    expect(answer).toMatchObject({
      kind: "connect-timeout",
      message: expect.stringContaining("within 80 ms"),
    });
    silent.close();
  });

  it("distinguishes an abort from the end of an answer that ends with its connection", async () => {
    const open = createSocketServer((socket) => {
      socket.on("error", () => {});
      socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: a");
    });
    await new Promise<void>((resolve) => open.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(open.address() as AddressInfo).port}`;
    const controller = new AbortController();
    const answer = await createNodeHttp().send({ method: "GET", url, headers: {} }, controller.signal);
    if (answer.kind !== "response") throw new Error(answer.message);
    const parts: (string | HttpFailure)[] = [];
    for await (const part of answer.parts) {
      parts.push(part);
      controller.abort();
    }
    expect(parts).toEqual(["data: a", { kind: "aborted", message: "The request was aborted." }]);
    open.close();
  });

  it.each([
    ["http://127.0.0.1:9/v1", "refused"],
    ["http://no-such-host.invalid/v1", "unreachable"],
  ])("tells why %s gives no answer", async (url, kind) => {
    expect(await get(url)).toMatchObject({ kind });
  });

  it.each([
    [
      { authorization: "Bearer sk-\u{1f511}-123456" },
      "The key contains an invalid character: copy it again.",
    ],
    [{ "x-other": "a\nb" }, "x-other"],
  ])("does not reject where a request cannot be written", async (headers, said) => {
    const url = "http://127.0.0.1:9/v1";
    const answer = await createNodeHttp().send({ method: "GET", url, headers }, never());
    expect(answer).toMatchObject({ kind: "local", message: expect.stringContaining(said) });
    expect(JSON.stringify(answer)).not.toContain("123456");
    expect(await get("http://")).toMatchObject({ kind: "local" });
  });

  it("reports an answer that is not HTTP", async () => {
    const odd = createSocketServer((socket) => socket.end("SSH-2.0-OpenSSH\r\n"));
    await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
    expect(await get(`http://127.0.0.1:${(odd.address() as AddressInfo).port}`)).toMatchObject({
      kind: "unreadable",
    });
    odd.close();
  });
});
