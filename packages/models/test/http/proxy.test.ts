import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, createServer as createTcp } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { HttpFailure } from "../../src/http/http.ts";
import { createNodeHttp } from "../../src/http/node-http.ts";
import { hasOpenssl, type MadeCertificate, makeCertificate } from "./made-certificate.ts";
import { runProxy, runSocks } from "./made-proxy.ts";

const never = () => new AbortController().signal;
/** No name is found here, as in a network whose proxy is the only one to know the internet. */
const resolve = async () => [];

async function serve(answer: RequestListener, certificate?: MadeCertificate) {
  const asked: IncomingMessage[] = [];
  const take: RequestListener = (request, response) => {
    asked.push(request);
    answer(request, response);
  };
  const server = certificate === undefined ? createServer(take) : createSecureServer(certificate, take);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

/** Listens with a function for each connection, as something that is no proxy does. */
async function serveBytes(answer: string | undefined): Promise<number> {
  const server = createTcp((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => (answer === undefined ? socket.destroy() : socket.write(answer)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

type Environment = Readonly<Record<string, string>>;

async function get(url: string, environment: Environment, headers = {}): Promise<string | HttpFailure> {
  const http = createNodeHttp({ environment, resolve });
  const answer = await http.send({ method: "GET", url, headers }, never());
  if (answer.kind !== "response") return answer;
  let text = `${answer.status} `;
  for await (const part of answer.parts) text += typeof part === "string" ? part : part.kind;
  return text;
}

const hello: RequestListener = (request, response) => void response.end(`hello ${request.url}`);

describe("a request to a model server", () => {
  test("with http goes to the proxy with the whole URL, and the sign-in stays there", async () => {
    const { port, asked } = await serve(hello);
    const proxy = await runProxy({ hosts: { "llm.example": port }, user: "me:p@ss" });
    const environment = { HTTP_PROXY: `http://me:p%40ss@127.0.0.1:${proxy.port}` };
    const answer = await get("http://llm.example/v1/models?all=1", environment, {
      authorization: "Bearer k",
    });
    expect(answer).toBe("200 hello /v1/models?all=1");
    expect(proxy.seen).toEqual(["GET http://llm.example/v1/models?all=1"]);
    expect(asked[0]?.headers).toMatchObject({ host: "llm.example", authorization: "Bearer k" });
  });

  test("sends its body, and uses one connection for several requests", async () => {
    const { port } = await serve((request, response) => void request.pipe(response));
    const proxy = await runProxy({ hosts: { "llm.example": port } });
    const environment = { http_proxy: `127.0.0.1:${proxy.port}` };
    const http = createNodeHttp({ environment, resolve });
    const sockets: string[] = [];
    for (const body of ["one", "two"]) {
      const url = "http://llm.example:8000/v1";
      const answer = await http.send({ method: "POST", url, headers: {}, body }, never(), () =>
        sockets.push(body),
      );
      if (answer.kind !== "response") throw new Error(answer.message);
      for await (const part of answer.parts) expect(part).toBe(body);
    }
    expect(proxy.seen).toEqual(Array(2).fill("POST http://llm.example:8000/v1"));
    expect(sockets).toEqual(["one", "two"]);
  });

  test.each([
    ["to this machine", "http://localhost:PORT/v1", {}],
    ["to an address of this machine", "http://127.0.0.1:PORT/v1", {}],
    ["to a host in NO_PROXY", "http://127.0.0.1.example:PORT/", { NO_PROXY: "example" }],
  ])("%s goes there directly", async (_name, url, more) => {
    const { port } = await serve(hello);
    const proxy = await runProxy({ hosts: {} });
    const environment = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, ...more };
    const answer = await get(url.replace("PORT", String(port)), environment);
    if (!("NO_PROXY" in more)) expect(answer).toMatch(/^200 hello/);
    expect(proxy.seen).toEqual([]);
  });

  test.each([
    ["a private address", "llm.example", ["10.1.1.1"], false],
    ["this machine", "llm.example", ["127.0.0.1", "::1"], false],
    ["the internet", "llm.example", ["93.184.215.14"], true],
    ["both", "llm.example", ["10.1.1.1", "93.184.215.14"], true],
    ["nothing here", "llm.example", [], true],
    ["nothing here, without a dot", "llm", [], false],
  ])("whose name leads to %s", async (_name, host, found, isProxied) => {
    const proxy = await runProxy({ hosts: {} });
    const http = createNodeHttp({
      connectMs: 1,
      environment: { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` },
      resolve: async () => found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    });
    const stop = new AbortController();
    const sent = http.send({ method: "GET", url: `http://${host}:1/`, headers: {} }, stop.signal);
    const answer = await sent;
    const isToldAsProxys = answer.kind !== "response" && /proxy/.test(answer.message);
    expect(isToldAsProxys).toBe(isProxied);
  });
});

describe.skipIf(!hasOpenssl())("a request with TLS", () => {
  test.each(["http", "https"] as const)("goes through a tunnel of a proxy with %s", async (kind) => {
    const certificate = makeCertificate("DNS:llm.example,IP:127.0.0.1");
    const { port, asked } = await serve(hello, certificate);
    const hosts = { "llm.example": port };
    const proxy = await runProxy({ hosts, user: "me:word", ...(kind === "https" ? { certificate } : {}) });
    certificate.trust();
    const environment = { HTTPS_PROXY: `${kind}://me:word@127.0.0.1:${proxy.port}` };
    expect(await get("https://llm.example/v1/models", environment)).toBe("200 hello /v1/models");
    expect(proxy.seen).toEqual(["CONNECT llm.example:443"]);
    expect(asked[0]?.headers).not.toHaveProperty("proxy-authorization");
  });

  test("tells that the proxy reads along with a certificate that is not trusted", async () => {
    const { port } = await serve(hello, makeCertificate("DNS:llm.example"));
    const proxy = await runProxy({ hosts: { "llm.example": port } });
    const failure = await get("https://llm.example/v1", { HTTPS_PROXY: `127.0.0.1:${proxy.port}` });
    expect(failure).toMatchObject({
      kind: "certificate",
      message: expect.stringMatching(/^https:\/\/llm\.example .*NODE_EXTRA_CA_CERTS=FILE.*company's proxy/),
    });
  });

  test("tells that a proxy with TLS has such a certificate", async () => {
    const proxy = await runProxy({ hosts: {}, certificate: makeCertificate("IP:127.0.0.1") });
    const environment = { HTTPS_PROXY: `https://127.0.0.1:${proxy.port}` };
    const failure = await get("https://llm.example/v1", environment);
    const message = expect.stringMatching(/^The proxy https:.* \(HTTPS_PROXY\) .*NODE_EXTRA_CA_CERTS=FILE/);
    expect(failure).toMatchObject({ kind: "proxy-refused", message });
  });

  test.each([undefined, "me:word"])("goes through SOCKS with the user %s", async (user) => {
    const certificate = makeCertificate("DNS:llm.example");
    const { port } = await serve(hello, certificate);
    const proxy = await runSocks({ hosts: { "llm.example": port }, ...(user === undefined ? {} : { user }) });
    certificate.trust();
    const signed = user === undefined ? "" : `${user}@`;
    const environment = { ALL_PROXY: `socks5h://${signed}127.0.0.1:${proxy.port}` };
    expect(await get("https://llm.example/v1", environment)).toBe("200 hello /v1");
    expect(proxy.seen).toEqual(["CONNECT llm.example:443"]);
  });
});

describe("a failure of the proxy", () => {
  const tell = async (url: string, value: string) => {
    const name = url.startsWith("https") ? "HTTPS_PROXY" : "HTTP_PROXY";
    return get(url, { [name]: value });
  };

  test.each(["http://llm.example/v1", "https://llm.example/v1"])("refused: %s", async (url) => {
    const gone = await runProxy({ hosts: {} });
    const free = createTcp().listen(0, "127.0.0.1");
    await once(free, "listening");
    const { port } = free.address() as AddressInfo;
    await new Promise((closed) => free.close(closed));
    expect(gone.port).not.toBe(port);
    const failure = await tell(url, `http://me:secret-word@127.0.0.1:${port}`);
    expect(failure).toMatchObject({ kind: "proxy" });
    const { message } = failure as HttpFailure;
    expect(message).toMatch(
      new RegExp(`^The proxy http://127\\.0\\.0\\.1:${port} \\(HTTPS?_PROXY\\) refuses connections\\.$`),
    );
  });

  test.each(["http://llm.example/v1", "https://llm.example/v1"])("without a sign-in: %s", async (url) => {
    const proxy = await runProxy({ hosts: {}, user: "me:word" });
    const failure = await tell(url, `http://127.0.0.1:${proxy.port}`);
    expect(failure).toMatchObject({
      kind: "proxy-refused",
      message: expect.stringMatching(
        /^The proxy .* asks for a user name and a password \(407\)\. Write them/,
      ),
    });
  });

  test.each(["http://llm.example/v1", "https://llm.example/v1"])("with a wrong sign-in: %s", async (url) => {
    const proxy = await runProxy({ hosts: {}, user: "me:word" });
    const failure = await tell(url, `http://me:other-word@127.0.0.1:${proxy.port}`);
    const message = expect.stringMatching(/does not accept the user name and the password in HTTPS?_PROXY/);
    expect(failure).toMatchObject({ kind: "proxy-refused", message });
    expect(JSON.stringify(failure)).not.toContain("other-word");
  });

  test.each(["http://llm.example/v1", "https://llm.example/v1"])(
    "does not find the host: %s",
    async (url) => {
      const proxy = await runProxy({ hosts: {} });
      const failure = await tell(url, `http://127.0.0.1:${proxy.port}`);
      expect(failure).toMatchObject({
        kind: "proxy",
        message: expect.stringMatching(
          /^The proxy .* (?:did not reach llm\.example:443|answered 503 with a web)/,
        ),
      });
    },
  );

  const connectAnswers: readonly (readonly [string, string | undefined, HttpFailure["kind"], RegExp])[] = [
    [
      "a refusal",
      "HTTP/1.1 403 Forbidden by policy\r\n\r\n",
      "proxy-refused",
      /let .* through.*403 Forbidden by/,
    ],
    ["a busy answer", "HTTP/1.0 429 \r\n\r\n", "proxy", /answered 429\.$/],
    [
      "another sign-in",
      "HTTP/1.1 407 x\r\nProxy-Authenticate: NTLM\r\n\r\n",
      "proxy-refused",
      /407: NTLM.*cntlm/,
    ],
    ["no HTTP", "SSH-2.0-OpenSSH_9\r\n", "proxy-refused", /no answer of an HTTP proxy: is the address in/],
    ["too much", `HTTP/1.1 200 ok\r\n${"x: y\r\n".repeat(4_000)}`, "proxy", /too long/],
    ["an end", undefined, "proxy", /closed the connection without an answer/],
  ];
  test.each(connectAnswers)("answers CONNECT with %s", async (_name, bytes, kind, message) => {
    const port = await serveBytes(bytes);
    const failure = await tell("https://llm.example/v1", `http://127.0.0.1:${port}`);
    expect(failure).toMatchObject({ kind, message: expect.stringMatching(message) });
  });

  const socksAnswers: readonly (readonly [string, string | undefined, HttpFailure["kind"], RegExp])[] = [
    ["HTTP", "HTTP/1.1 400 Bad Request\r\n\r\n", "proxy-refused", /is no SOCKS proxy of version 5/],
    ["a sign-in", "\u0005\u0002", "proxy-refused", /asks for a user name and a password/],
    ["no way to sign in", "\u0005\u00ff", "proxy-refused", /asks for a user name and a password/],
    ["a rule", "\u0005\u0000\u0005\u0002", "proxy-refused", /did not reach llm\.example:443: its rules/],
    ["an unreachable host", "\u0005\u0000\u0005\u0004", "proxy", /the host is unreachable/],
    ["an end", undefined, "proxy", /closed the connection without an answer/],
  ];
  test.each(socksAnswers)("answers SOCKS with %s", async (_name, bytes, kind, message) => {
    const port = await serveBytes(bytes);
    const failure = await tell("https://llm.example/v1", `socks5://127.0.0.1:${port}`);
    expect(failure).toMatchObject({ kind, message: expect.stringMatching(message) });
  });

  test("does not take the place of an answer of the server", async () => {
    const json = { "content-type": "application/json" };
    const { port } = await serve((_request, response) => void response.writeHead(503, json).end('{"e":1}'));
    const proxy = await runProxy({ hosts: { "llm.example": port } });
    expect(await tell("http://llm.example/v1", `http://127.0.0.1:${proxy.port}`)).toBe('503 {"e":1}');
  });

  test("is told for an address that cannot be used", async () => {
    const failure = await tell("https://llm.example/v1", "ftp://me:secret-word@127.0.0.1");
    const message = expect.stringMatching(/^HTTPS_PROXY names no proxy that can be used/);
    expect(failure).toEqual({ kind: "proxy-refused", message });
  });

  test("ends when the request is aborted", async () => {
    const silent = createTcp(() => stop.abort());
    const stop = new AbortController();
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const http = createNodeHttp({ environment: { HTTPS_PROXY: `127.0.0.1:${port}` }, resolve });
    const request = { method: "GET", url: "https://llm.example", headers: {} } as const;
    expect(await http.send(request, stop.signal)).toMatchObject({ kind: "aborted" });
  });

  test("is told with the proxy if it does not answer in time", async () => {
    const silent = createTcp(() => undefined);
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const environment = { HTTPS_PROXY: `127.0.0.1:${port}` };
    const http = createNodeHttp({ environment, resolve, connectMs: 50 });
    const request = { method: "GET", url: "https://llm.example", headers: {} } as const;
    expect(await http.send(request, never())).toMatchObject({
      kind: "connect-timeout",
      message: `No connection to https://llm.example through the proxy http://127.0.0.1:${port} (HTTPS_PROXY) within 50 ms.`,
    });
  });
});
