import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFetchDoor } from "../../src/http/fetch-door.ts";
import { openSocket } from "../../src/http/socket-door.ts";
import { createWebDoor, type WebDoorOptions } from "../../src/http/web-door.ts";
import { runProxy, runSocks } from "./made-proxy.ts";

const never = () => new AbortController().signal;
/** No name is found here, as in a network whose proxy is the only one to know the internet. */
const resolve = async () => [];

async function serve(answer: RequestListener) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

const hello: RequestListener = (request, response) => void response.end(`hello ${request.url}`);

describe("a request of a tool", () => {
  const ask = async (url: string, options: Partial<WebDoorOptions>) => {
    const door = createWebDoor({ allowPrivate: false, resolve, ...options });
    const answer = await door.send({ method: "GET", url, maxBytes: 1_000 }, never());
    return answer.kind === "answer"
      ? Buffer.from(answer.body).toString()
      : `${answer.kind}: ${answer.message}`;
  };
  const at =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

  test.each([
    ["http://127.0.0.1:PORT/", at()],
    ["http://localhost:PORT/", at()],
    ["http://[::1]:PORT/", at()],
    ["http://10.0.0.1/", at()],
    ["http://169.254.169.254/latest", at()],
    ["http://innocent.example/", at("127.0.0.1")],
    ["http://innocent.example/", at("93.184.215.14", "192.168.1.1")],
    ["http://innocent.example/", at("169.254.169.254")],
    ["http://wiki/", at()],
    ["http://wiki./", at()],
    ["http://wiki.corp/", at()],
    ["http://printer.local/", at()],
    ["http://db.eu.internal/", at()],
    ["http://a.home.arpa./", at()],
  ])("to %s is blocked with a proxy as without one", async (url, found) => {
    const { port, asked } = await serve(hello);
    const proxy = await runProxy({ hosts: { localhost: port } });
    const environment = { ALL_PROXY: `http://127.0.0.1:${proxy.port}` };
    const answer = await ask(url.replace("PORT", String(port)), { environment, resolve: found });
    expect(answer).toMatch(/^blocked: /);
    expect([proxy.seen, asked]).toEqual([[], []]);
  });

  test.each([at(), at("93.184.215.14"), () => Promise.reject(new Error("no name server"))])(
    "to the internet goes through the proxy, whatever is found here (%#)",
    async (found) => {
      const { port } = await serve(hello);
      const proxy = await runProxy({ hosts: { "page.example": port } });
      const environment = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` };
      expect(await ask("http://page.example/a", { environment, resolve: found })).toBe("hello /a");
      expect(proxy.seen).toEqual(["GET http://page.example/a"]);
    },
  );

  test("to this machine goes there directly if that is allowed", async () => {
    const { port } = await serve(hello);
    const proxy = await runProxy({ hosts: {} });
    const options = { environment: { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` }, allowPrivate: true };
    expect(await ask(`http://127.0.0.1:${port}/a`, options)).toBe("hello /a");
    const named = { ...options, resolve: at("127.0.0.1") };
    expect(await ask(`http://box.example:${port}/b`, named)).toBe("hello /b");
    expect(proxy.seen).toEqual([]);
  });

  test("tells a failure of the proxy as the proxy's", async () => {
    const proxy = await runProxy({ hosts: {} });
    const environment = { ALL_PROXY: `http://127.0.0.1:${proxy.port}` };
    expect(await ask("http://page.example/", { environment })).toMatch(/^failed: The proxy http:\/\/127/);
    expect(await ask("https://page.example/", { environment })).toMatch(/^failed: The proxy http:\/\/127/);
  });
});

describe("a request to a server over HTTP that the person has named", () => {
  test("goes through the proxy, with its body", async () => {
    const { port } = await serve((request, response) => void request.pipe(response));
    const proxy = await runProxy({ hosts: { "mcp.example": port } });
    const door = createFetchDoor({ environment: { HTTP_PROXY: `127.0.0.1:${proxy.port}` }, resolve });
    onTestFinished(() => door.close());
    const answer = await door.fetch("http://mcp.example/mcp", { method: "POST", body: "{}" });
    expect(await answer.text()).toBe("{}");
    expect(proxy.seen).toEqual(["POST http://mcp.example/mcp"]);
  });

  test.each([
    ["a private address", true, "10.0.0.1", "mcp.example"],
    ["a link-local address", false, "169.254.169.254", "mcp.example"],
    ["a private name", true, undefined, "mcp.internal"],
  ])("never goes through it to %s that is refused", async (_name, publicOnly, address, host) => {
    const proxy = await runProxy({ hosts: {} });
    const found = address === undefined ? [] : [{ address, family: 4 }];
    const environment = { HTTP_PROXY: `127.0.0.1:${proxy.port}` };
    const door = createFetchDoor({ environment, publicOnly, resolve: async () => found });
    await expect(door.fetch(`http://${host}/`)).rejects.toThrow(/never reached|private network/);
    expect(proxy.seen).toEqual([]);
  });

  test("rejects with the words of the proxy", async () => {
    const proxy = await runProxy({ hosts: {} });
    const door = createFetchDoor({ environment: { ALL_PROXY: `127.0.0.1:${proxy.port}` }, resolve });
    for (const url of ["https://mcp.example/", "http://mcp.example/"]) {
      await expect(door.fetch(url)).rejects.toThrow(/^The proxy http:\/\/127\.0\.0\.1:\d+ \(ALL_PROXY\)/);
    }
  });
});

describe("a WebSocket", () => {
  test.each(["HTTP", "SOCKS"])("goes through a tunnel of a proxy with %s", async (kind) => {
    const { WebSocketServer } = await import("ws");
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    await once(server, "listening");
    onTestFinished(() => {
      for (const one of server.clients) one.terminate();
      server.close();
    });
    server.on("connection", (socket) => socket.send("welcome"));
    const hosts = { "desk.example": (server.address() as AddressInfo).port };
    const proxy = kind === "HTTP" ? await runProxy({ hosts }) : await runSocks({ hosts });
    const value = `${kind === "HTTP" ? "http" : "socks5"}://127.0.0.1:${proxy.port}`;
    const socket = await openSocket("ws://desk.example:4000/ws", {}, never(), { ALL_PROXY: value });
    const text = await new Promise((onText) => socket.listen({ onText, onClosed: onText }));
    expect(text).toBe("welcome");
    expect(proxy.seen).toEqual(["CONNECT desk.example:4000"]);
    socket.close(1000, "done");
  });

  test("tells a failure of the proxy", async () => {
    const proxy = await runProxy({ hosts: {} });
    const opened = openSocket("ws://desk.example/ws", {}, never(), { HTTP_PROXY: `127.0.0.1:${proxy.port}` });
    await expect(opened).rejects.toThrow(
      /^ws:\/\/desk\.example\/ws: The proxy .* did not reach desk\.example:80/,
    );
  });
});
