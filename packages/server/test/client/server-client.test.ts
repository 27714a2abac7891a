/** Checks the one client of browsers and terminals against the real server, with both kinds of WebSocket. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { keyRefusedCode, type SessionEvent, type SocketMessage } from "@localharness/protocol";
import {
  createServerClient,
  isRefusal,
  type LinkLoss,
  openLiveSocket,
  type SocketWire,
} from "@localharness/protocol/server-client";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket as NodeSocket, WebSocketServer } from "ws";
import { accessTo } from "../../src/client/place.ts";
import { serve } from "./serve.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const event = (seq: number) => ({ type: "turn-start", sessionId: "s", turnId: "t", seq }) as SessionEvent;
const message = (content: string) => ({ type: "user-message", content }) as const;

type Connect = (url: string, protocols: string[]) => SocketWire;

describe.each<[kind: string, connect: Connect]>([
  ["the platform's WebSocket", (url, protocols) => new WebSocket(url, protocols)],
  ["the WebSocket of a library", (url, protocols) => new NodeSocket(url, protocols)],
])("%s", (_kind, connect) => {
  /** Follows the session `s` from the events that the test has seen. */
  async function follow(
    options: Parameters<typeof serve>[0] = {},
    lost: (loss: LinkLoss) => boolean = () => true,
  ) {
    const served = await serve(options);
    const seen: SessionEvent[] = [];
    const firsts: SocketMessage[] = [];
    await served.client.open({ kind: "resume", id: "s" });
    const live = openLiveSocket({
      address: served.place.address,
      passes: served.client.passes,
      session: "s",
      connect,
      after: () => seen.at(-1)?.seq ?? 0,
      take(came) {
        if (came.kind !== "events") return;
        if (came.log !== undefined) firsts.push(came);
        seen.push(...came.events);
      },
      lost,
    });
    closing.push(live.close);
    return { ...served, live, seen, firsts };
  }

  test("goes on after the newest event when the connection is lost", async () => {
    const losses: LinkLoss[] = [];
    const { live, seen, firsts, state } = await follow({}, (loss) => losses.push(loss) > 0);
    await expect.poll(() => firsts.length).toBe(1);
    state.emit(event(1));
    await expect.poll(() => seen.length).toBe(1);
    live.breakOff();
    await expect.poll(() => firsts.length).toBe(2);
    state.emit(event(2));
    await expect.poll(() => seen.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(losses).toMatchObject([{ wasOpen: true, failures: 1 }]);
    expect(firsts).toMatchObject([{ whole: true }, { whole: false }]);
  });

  test("counts the attempts that bring nothing, until it is told to stop", async () => {
    const losses: LinkLoss[] = [];
    await follow({ socketLimits: { sockets: 0 } as never }, (loss) => losses.push(loss) < 2);
    await expect.poll(() => losses.length).toBe(2);
    expect(losses).toMatchObject([
      { wasOpen: false, failures: 1 },
      { wasOpen: false, failures: 2 },
    ]);
  });

  test("says that the key is refused when the server closes the connection for that reason", async () => {
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0, handleProtocols: () => "localharness" });
    closing.push(() => server.close());
    server.on("connection", (socket) => socket.close(keyRefusedCode, "replaced"));
    await once(server, "listening");
    const refused = Promise.withResolvers<string>();
    const live = openLiveSocket({
      address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      passes: { get: async () => "pass", drop: () => undefined },
      connect,
      after: () => 0,
      take: () => undefined,
      keyRefused: () => refused.resolve("refused"),
      lost({ error }) {
        refused.reject(error);
        return false;
      },
    });
    closing.push(live.close);
    expect(await refused.promise).toBe("refused");
  });
});

describe("a command", () => {
  /** Returns a client of a new server. `fails` says which of the posts of commands, counted from 1, get no reply. */
  async function clientWhere(fails: (post: number) => boolean, arrives: boolean) {
    const served = await serve();
    let posts = 0;
    const cut = async (url: string, init: RequestInit) => {
      const isCut = url.endsWith("/commands") && fails(++posts);
      const reply = isCut && !arrives ? undefined : await fetch(url, init);
      if (isCut || reply === undefined) throw new TypeError("fetch failed");
      return reply;
    };
    return { ...served, client: createServerClient(accessTo({ ...served.place, fetch: cut })) };
  }

  test.each([true, false])(
    "is taken once if the first reply is lost (the request arrived: %s)",
    async (arrives) => {
      const { client, taken } = await clientWhere((post) => post === 1, arrives);
      await client.open({ kind: "resume", id: "s" });
      expect(await client.send("s", message("one"), () => true)).toMatchObject({ id: "s" });
      expect(taken).toEqual([message("one")]);
    },
  );

  test("opens its session if the server has closed it", async () => {
    const { client, taken } = await clientWhere(() => false, true);
    await client.send("s", message("one"), () => false);
    expect(taken).toEqual([message("one")]);
  });

  test("is given up when the caller says so, with the words for the person", async () => {
    const { client, place, taken } = await clientWhere(() => true, false);
    await client.open({ kind: "resume", id: "s" });
    const asked: number[] = [];
    const sent = client.send("s", message("one"), (attempts) => asked.push(attempts) < 2);
    await expect(sent).rejects.toThrow(`the server at ${place.address} does not answer`);
    expect([asked, taken]).toEqual([[1, 2], []]);
  });

  test("that the server refuses is not sent again", async () => {
    const { client } = await serve();
    await client.open({ kind: "resume", id: "s" });
    const answer = { type: "permission-answer", requestId: "none", answer: "once" } as const;
    const error: unknown = await client.send("s", answer, () => true).catch((problem: unknown) => problem);
    expect(isRefusal(error) && [error.status, error.message]).toEqual([
      409,
      "this question is not open: it was answered, or never asked",
    ]);
  });
});
