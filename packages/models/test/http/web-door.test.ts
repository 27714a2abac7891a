import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createServer as createTcp } from "node:net";
import { createGzip, gzipSync } from "node:zlib";
import type { Web, WebAnswer } from "@localharness/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import { createWebDoor, type WebDoorOptions } from "../../src/http/web-door.ts";
import { hasOpenssl, makeCertificate } from "./made-certificate.ts";

async function serve(
  answer: RequestListener,
  host = "127.0.0.1",
): Promise<{ port: number; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

const never = new AbortController().signal;
const get = (door: Web, url: string, signal = never, maxBytes = 1_000_000) =>
  door.send({ method: "GET", url, maxBytes }, signal);
const textOf = (answer: WebAnswer) =>
  answer.kind === "answer" ? Buffer.from(answer.body).toString() : `${answer.kind}: ${answer.message}`;
const open = (options: Partial<WebDoorOptions> = {}) => createWebDoor({ allowPrivate: true, ...options });

describe("an address that is not public", () => {
  const urls = [
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0/",
    "http://127.1/",
    "http://10.0.0.1/",
    "http://192.168.0.1/",
    "http://169.254.169.254/latest/meta-data",
    "http://[fe80::1]/",
    "http://[fd00:ec2::254]/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://a.localhost/",
    "http://１２７.０.０.１/",
  ];
  test.each(urls)("%s is refused before anything is sent", async (url) => {
    const door = open({ allowPrivate: false, resolve: () => Promise.reject(new Error("looked up")) });
    expect(await door.objection(url)).toMatch(/ is (?:an address of this machine|a link-local)/);
    expect(textOf(await get(door, url))).toMatch(/^blocked: /);
  });

  test("is refused when a name leads to it, by the system's look-up", async () => {
    const { port, asked } = await serve((_request, response) => response.end("reached"));
    const door = createWebDoor({
      allowPrivate: false,
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    expect(await door.objection(`http://innocent.example:${port}/`)).toBeUndefined();
    expect(textOf(await get(door, `http://innocent.example:${port}/`))).toMatch(
      /^blocked: innocent\.example is 127\.0\.0\.1, an address of this machine/,
    );
    expect(asked).toHaveLength(0);
  });

  test("is refused when only one of several addresses of a name is such", async () => {
    const found = [
      { address: "93.184.215.14", family: 4 },
      { address: "::1", family: 6 },
    ];
    const door = createWebDoor({ allowPrivate: false, resolve: async () => found });
    expect(textOf(await get(door, "http://mixed.example/"))).toMatch(/^blocked: mixed\.example is ::1/);
  });

  test("is reached when that is allowed, but never a link-local one", async () => {
    const { port } = await serve((_request, response) => response.end("reached"));
    expect(textOf(await get(open(), `http://127.0.0.1:${port}/`))).toBe("reached");
    expect(textOf(await get(open(), "http://169.254.169.254/"))).toMatch(/^blocked: .*never reached/);
    const rebound = open({ resolve: async () => [{ address: "169.254.169.254", family: 4 }] });
    expect(textOf(await get(rebound, "http://meta.example/"))).toMatch(/^blocked: /);
  });
});

describe("a name", () => {
  test("is looked up once, and the connection goes to the address that was checked", async () => {
    const { port, asked } = await serve((_request, response) => response.end("first"));
    let lookUps = 0;
    const door = open({
      async resolve() {
        lookUps += 1;
        return [{ address: lookUps === 1 ? "127.0.0.1" : "169.254.169.254", family: 4 }];
      },
    });
    expect(textOf(await get(door, `http://rebound.example:${port}/`))).toBe("first");
    expect(lookUps).toBe(1);
    expect(asked[0]?.headers.host).toBe(`rebound.example:${port}`);
  });

  test("of this machine is found by the system", async () => {
    const { port } = await serve((_request, response) => response.end("here"));
    expect(textOf(await get(open(), `http://localhost:${port}/`))).toBe("here");
  });

  test("that does not exist is said so", async () => {
    const gone = Object.assign(new Error("no"), { code: "ENOTFOUND" });
    const door = open({ resolve: () => Promise.reject(gone) });
    expect(textOf(await get(door, "http://gone.example/"))).toMatch(
      /^failed: .*there is no host of that name/,
    );
  });

  test("whose look-up never ends is given up when the call is cancelled", async () => {
    const stop = new AbortController();
    const looking = Promise.withResolvers<void>();
    const door = open({
      resolve() {
        looking.resolve();
        return new Promise(() => undefined);
      },
    });
    const asked = get(door, "http://slow.example/", stop.signal);
    await looking.promise;
    stop.abort();
    expect((await asked).kind).toBe("aborted");
  });
});

test.runIf(await hasIpv6())("IPv6 addresses are reached", async () => {
  const { port } = await serve((_request, response) => response.end("six"), "::1");
  expect(textOf(await get(open(), `http://[::1]:${port}/`))).toBe("six");
});

async function hasIpv6(): Promise<boolean> {
  const server = createTcp();
  const listens = new Promise<boolean>((resolve) => {
    server.once("listening", () => resolve(true));
    server.once("error", () => resolve(false));
  });
  server.listen(0, "::1");
  const has = await listens;
  server.close();
  return has;
}

test.each([
  ["ftp://example.com/", /Only http and https/],
  ["file:///etc/passwd", /Only http and https/],
  ["javascript:alert(1)", /Only http and https/],
  ["https://user:pass@example.com/", /user name or a password/],
  ["https://user@example.com/", /user name or a password/],
  ["http://", /not an address/],
])("%s is refused", async (url, why) => {
  expect(await open().objection(url)).toMatch(why);
  expect(textOf(await get(open(), url))).toMatch(why);
});

describe("a request", () => {
  test("carries no cookies and no keys, also after a cookie was set", async () => {
    const { port, asked } = await serve((_request, response) => {
      response.setHeader("set-cookie", "a=b").end("x");
    });
    const door = open();
    await get(door, `http://127.0.0.1:${port}/one`);
    await get(door, `http://127.0.0.1:${port}/two`);
    for (const { headers } of asked) {
      expect(Object.keys(headers).toSorted()).toEqual([
        "accept",
        "accept-encoding",
        "connection",
        "host",
        "user-agent",
      ]);
    }
  });

  test("does not follow a redirect", async () => {
    const { port, asked } = await serve((_request, response) => {
      response.writeHead(302, { location: "/there" }).end("moved");
    });
    expect(await get(open(), `http://127.0.0.1:${port}/`)).toMatchObject({ status: 302, location: "/there" });
    expect(asked).toHaveLength(1);
  });
});

describe.skipIf(!hasOpenssl())("a host with TLS", () => {
  async function serveSecurely(name: string) {
    const { key, cert, trust } = makeCertificate(`DNS:${name}`);
    const server = createSecureServer({ key, cert }, (_request, response) => void response.end("secure"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return { port: (server.address() as AddressInfo).port, trust };
  }
  const door = open({ resolve: async () => [{ address: "127.0.0.1", family: 4 }] });

  test("is reached with a certificate for its name that is trusted, and no other", async () => {
    const { port, trust } = await serveSecurely("page.example");
    expect(textOf(await get(door, `https://page.example:${port}/`))).toMatch(
      /its certificate is not trusted.*NODE_EXTRA_CA_CERTS=FILE/,
    );
    trust();
    expect(textOf(await get(door, `https://page.example:${port}/`))).toBe("secure");
    expect(textOf(await get(door, `https://other.example:${port}/`))).toMatch(
      /its certificate is for page\.example, not for this address/,
    );
  });
});

describe("an answer", () => {
  const respond = async (answer: (response: ServerResponse) => void, maxBytes?: number) => {
    const { port } = await serve((_request, response) => answer(response));
    return get(open(), `http://127.0.0.1:${port}/`, never, maxBytes);
  };

  test("without end is read up to the limit", async () => {
    const answer = await respond((response) => {
      const write = () => {
        while (response.write("x".repeat(10_000)));
        response.once("drain", write);
      };
      write();
    }, 50_000);
    expect(answer).toMatchObject({ kind: "answer", cut: true });
    expect(textOf(answer)).toHaveLength(50_000);
  });

  test("that unpacks to gigabytes is read up to the limit", async () => {
    const answer = await respond((response) => {
      response.setHeader("content-encoding", "gzip");
      const bomb = createGzip({ level: 9 });
      bomb.pipe(response);
      const zeros = Buffer.alloc(1_000_000);
      const write = () => {
        while (bomb.write(zeros));
        bomb.once("drain", write);
      };
      write();
      response.once("close", () => bomb.destroy());
    }, 100_000);
    expect(answer).toMatchObject({ kind: "answer", cut: true });
    expect(textOf(answer)).toHaveLength(100_000);
  });

  test("in gzip is unpacked", async () => {
    const packed = gzipSync("packed");
    expect(
      textOf(await respond((response) => response.setHeader("content-encoding", "gzip").end(packed))),
    ).toBe("packed");
  });

  test.each([
    ["torn gzip", "gzip", gzipSync("x".repeat(9_999)).subarray(0, 20)],
    ["no gzip at all", "gzip", Buffer.from("plain")],
    ["an unknown encoding", "zip", Buffer.from("x")],
    ["an encoding named like a method", "constructor", Buffer.from("x")],
  ])("in %s is refused", async (_what, encoding, body) => {
    const answer = await respond((response) => response.setHeader("content-encoding", encoding).end(body));
    expect(textOf(answer)).toMatch(/^failed: .*cannot be read/);
  });

  test("that is cancelled while it comes ends at once", async () => {
    const stop = new AbortController();
    const began = Promise.withResolvers<void>();
    const slow = await serve((_request, response) => {
      response.write("begun", () => began.resolve());
    });
    const asked = get(open(), `http://127.0.0.1:${slow.port}/`, stop.signal);
    await began.promise;
    stop.abort();
    expect((await asked).kind).toBe("aborted");
  });

  test("that is no HTTP, or breaks off, is a failure", async () => {
    const server = createTcp((socket) => void socket.end("hello\r\n"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(textOf(await get(open(), `http://127.0.0.1:${port}/`))).toMatch(/^failed: /);
    const torn = await respond((response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    });
    expect(textOf(torn)).toMatch(/^failed: /);
  });

  test("that changes the protocol is a failure", async () => {
    const tcp = createTcp(
      (socket) =>
        void socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    );
    tcp.listen(0, "127.0.0.1");
    await once(tcp, "listening");
    onTestFinished(() => void tcp.close());
    expect(textOf(await get(open(), `http://127.0.0.1:${(tcp.address() as AddressInfo).port}/`))).toMatch(
      /^failed: .*protocol/,
    );
  });
});
