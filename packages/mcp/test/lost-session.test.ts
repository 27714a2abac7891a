/** Servers over HTTP that forget their sessions, as after a restart. */
import { describe, expect, test } from "vitest";
import { type Refusal, startSessionServer } from "./fixtures/session-server.ts";
import { openPeers } from "./open-peer.ts";

const error = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } });
const notFound: Refusal = [404, error(-32001, "Session not found")];

const refusals: readonly Refusal[] = [
  notFound,
  [404, ""],
  [404, "Not Found"],
  [410, "gone"],
  [400, error(-32000, "Bad Request: No valid session ID provided")],
  [400, error(-32600, "Session has been terminated")],
  [400, "Invalid or missing sessionId"],
];

describe.each(["http", "sse"] as const)("a session over %s that the server refuses", (type) => {
  test.each(refusals)("with %d %s begins again, and each call is run once", async (...refusal) => {
    const server = await startSessionServer(type, refusal);
    const opened = await openPeers({ s: { url: server.url, type } });
    expect(opened.told).toEqual([]);
    // More often than a server is started again after it ended.
    const texts = ["a", "b", "c", "d", "e", "f"];
    for (const text of texts) {
      expect(await opened.call("s__repeat", { text })).toEqual({ ok: true, data: text });
      server.forget();
    }
    expect(server.ran).toEqual(texts);
    expect(server.sessions()).toBe(texts.length);
    await opened.close();
  });

  test("begins again for the list of resources and for a resource", async () => {
    const server = await startSessionServer(type, notFound);
    const opened = await openPeers({ s: { url: server.url, type } });
    server.forget();
    expect(await opened.call("list_resources")).toMatchObject({
      ok: true,
      data: expect.stringMatching("note://1"),
    });
    server.forget();
    const read = await opened.call("read_resource", { server: "s", uri: "note://1" });
    expect(read).toMatchObject({ ok: true, data: expect.stringContaining("a note") });
    await opened.close();
  });

  test("does not make the call if the tool has changed meanwhile", async () => {
    const server = await startSessionServer(type, notFound);
    const opened = await openPeers({ s: { url: server.url, type } });
    server.describe("Reads your keys.");
    server.forget();
    const tool = opened.tools.find(({ name }) => name === "s__repeat");
    const facts = await tool?.examine?.({}, { signal: new AbortController().signal } as never);
    const context = { callId: "c", signal: new AbortController().signal, report: () => undefined };
    const examined = { seen: facts?.seen } as never;
    const answer = await tool?.execute({ text: "a" }, { ...context, examined });
    expect(answer).toMatchObject({
      ok: false,
      message: expect.stringMatching(/has changed the tool repeat/),
    });
    expect(server.ran).toEqual([]);
    await opened.close();
  });

  test("begins again once for several calls at once", async () => {
    const server = await startSessionServer(type, notFound);
    const opened = await openPeers({ s: { url: server.url, type } });
    server.forget();
    const texts = ["a", "b", "c", "d"];
    const answers = await Promise.all(texts.map((text) => opened.call("s__repeat", { text })));
    expect(answers).toEqual(texts.map((data) => ({ ok: true, data })));
    expect(server.ran.toSorted()).toEqual(texts);
    expect(server.sessions()).toBe(2);
    await opened.close();
  });
});

describe("a server over HTTP", () => {
  test("that refuses every session ends the call after one more try", async () => {
    const server = await startSessionServer("http", notFound);
    const opened = await openPeers({ s: { url: server.url } });
    let calls = 0;
    server.onCall = (response) => {
      calls += 1;
      response.writeHead(...([404, { "content-type": "application/json" }] as const)).end(notFound[1]);
      return "answered";
    };
    const answer = await opened.call("s__repeat", { text: "a" });
    expect(answer).toMatchObject({ ok: false, message: expect.stringMatching(/Session not found.*404/) });
    expect([calls, server.sessions()]).toEqual([2, 2]);
    await opened.close();
  });

  test.each([
    [400, error(-32602, "the argument text is missing")],
    [500, error(-32001, "Session not found")],
    [403, "this session may not"],
  ])("that refuses a call with %d %s is not called again", async (status, body) => {
    const server = await startSessionServer("http", notFound);
    const opened = await openPeers({ s: { url: server.url } });
    let calls = 0;
    server.onCall = (response) => {
      calls += 1;
      response.writeHead(status, { "content-type": "application/json" }).end(body);
      return "answered";
    };
    expect(await opened.call("s__repeat", { text: "a" })).toMatchObject({ ok: false });
    expect([calls, server.sessions()]).toEqual([1, 1]);
    await opened.close();
  });

  test("that says in a result that a session is not found is not called again", async () => {
    const server = await startSessionServer("http", notFound);
    const opened = await openPeers({ s: { url: server.url } });
    const answer = await opened.call("s__repeat", { text: "Session not found" });
    expect(answer).toEqual({ ok: true, data: "Session not found" });
    expect(server.ran).toHaveLength(1);
    await opened.close();
  });

  test("whose stream of events ends during a call says so at once, and is reached again", async () => {
    const server = await startSessionServer("sse", notFound);
    const opened = await openPeers({ s: { url: server.url, type: "sse" } });
    for (let time = 1; time <= 5; time += 1) {
      server.onCall = () => {
        server.forget();
        return "answered";
      };
      expect(await opened.call("s__repeat", { text: "a" })).toMatchObject({
        ok: false,
        message: expect.stringMatching(
          /gave no answer to the call of repeat: its stream of events ended\. It is unknown whether/,
        ),
      });
      server.onCall = () => undefined;
      expect(await opened.call("s__repeat", { text: `b${time}` })).toEqual({ ok: true, data: `b${time}` });
    }
    await opened.close();
  });
});
