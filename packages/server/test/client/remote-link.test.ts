/** Checks the client of a server against the real server, whose sessions are made of what a test pushes. */
import type { Command, Hub, Room, SessionEvent } from "@localharness/protocol";
import { afterEach, expect, test } from "vitest";
import { attach, createRequests, type LocalMethods, type ServerPlace } from "../../src/client/index.ts";
import { connectLink } from "../../src/client/remote-link.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../src/index.ts";

const local = {} as LocalMethods;
const running: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

const text = (seq: number, words: string) =>
  ({ type: "text-delta", text: words, sessionId: "s", turnId: "t", seq }) as SessionEvent;
const other = (seq: number) => ({ type: "turn-start", sessionId: "s", turnId: "t", seq }) as SessionEvent;
const textOf = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");

/** Starts a server with the session `s`. `saved` has the events that its next opening reads. */
async function serve(options: Partial<ServerOptions> = {}) {
  const taken: Command[] = [];
  const state = { saved: [] as readonly SessionEvent[], emit: (_event: SessionEvent) => {} };
  /** Resolves when the host runs a command, which prints nothing and does not end. */
  const begun = Promise.withResolvers<void>();
  let room: Room | undefined;
  const open = async () => {
    const link = {
      id: "s",
      history: state.saved,
      subscribe(listener: (event: SessionEvent) => void) {
        state.emit = listener;
        return () => undefined;
      },
      send: (command: Command) => void taken.push(command),
      mode: () => "default",
      model: () => "m",
    };
    const runCommand = () => {
      begun.resolve();
      return new Promise(() => undefined);
    };
    room ??= { link, host: { runCommand }, readTo: state.saved.at(-1)?.seq ?? 0 } as unknown as Room;
    return room;
  };
  const close = async () => {
    room = undefined;
  };
  const hub = { facts: {}, open, find: () => room, close } as unknown as Hub;
  const fixed = { host: "127.0.0.1", port: 0, files: new Map(), reportBug: () => undefined };
  const server = await startServer({ hub, readToken: async () => "token", ...fixed, ...options });
  running.push(server);
  const place: ServerPlace = { address: server.address, key: "token", name: "the test" };
  return { place, taken, state, begun: begun.promise, post: createRequests(place).post };
}

test("a text of which the client had the beginning is shown once, after a history of many frames", async () => {
  const { place, state, post } = await serve();
  const before = Array.from({ length: 600 }, (_, at) => other(at + 1));
  state.saved = before;
  const { link, close } = await attach(place, { kind: "named", name: "s" }, local);
  const events: SessionEvent[] = [];
  link.subscribe((event) => events.push(event));
  state.emit(text(601, "Hello "));
  await expect.poll(() => textOf(events)).toBe("Hello ");
  state.saved = [...before, text(602, "Hello world")];
  await post("/api/sessions/s/close", {});
  await expect.poll(() => textOf(events)).toContain("world");
  expect(textOf(events)).toBe("Hello world");
  close();
});

test("attach says why no WebSocket opens", async () => {
  const { place } = await serve({ socketLimits: { sockets: 0 } });
  await expect(attach(place, { kind: "named", name: "s" }, local)).rejects.toThrow(
    `${place.address} answers, but opens no WebSocket: Unexpected server response: 503`,
  );
});

test("a command that waits to be sent again is sent although the link is closed", async () => {
  const { place, taken } = await serve();
  let fails = true;
  const fetchOnceFailing = async (url: string, init: RequestInit) => {
    if (!fails || !url.endsWith("/commands")) return fetch(url, init);
    fails = false;
    throw new TypeError("fetch failed");
  };
  const requests = createRequests({ ...place, fetch: fetchOnceFailing });
  await requests.post("/api/sessions", { kind: "resume", id: "s" });
  const link = await connectLink({ place, requests, state: { id: "s", mode: "default", model: "m" } });
  const said = new Promise<string>((resolve) => {
    link.subscribe((event) => event.type === "notice" && resolve(event.message));
  });
  const messages = ["one", "two"].map((content) => ({ type: "user-message", content }) as const);
  for (const message of messages) link.send(message);
  expect(await said).toContain("trying again");
  link.close();
  await expect.poll(() => taken).toEqual(messages);
});

test("a command that the person stops before it prints anything ends with that reason", async () => {
  const { place, begun } = await serve();
  const { host, close } = await attach(place, { kind: "named", name: "s" }, local);
  const stop = new AbortController();
  const ran = host.runCommand("sleep 60", stop.signal, () => undefined);
  void begun.then(() => stop.abort(new Error("stopped")));
  await expect(ran).rejects.toThrow("stopped");
  close();
});
