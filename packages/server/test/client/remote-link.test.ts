/** Checks the client of a server against the real server, whose sessions are made of what a test pushes. */
import type { SessionEvent } from "@localharness/protocol";
import { createServerClient } from "@localharness/protocol/server-client";
import { expect, test } from "vitest";
import { attach, type LocalMethods } from "../../src/client/index.ts";
import { accessTo } from "../../src/client/place.ts";
import { connectLink } from "../../src/client/remote-link.ts";
import { serve } from "./serve.ts";

const local = {} as LocalMethods;
const text = (seq: number, words: string) =>
  ({ type: "text-delta", text: words, sessionId: "s", turnId: "t", seq }) as SessionEvent;
const other = (seq: number) => ({ type: "turn-start", sessionId: "s", turnId: "t", seq }) as SessionEvent;
const textOf = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");

test("a text of which the client had the beginning is shown once, after a history of many frames", async () => {
  const { place, state, client } = await serve();
  const before = Array.from({ length: 600 }, (_, at) => other(at + 1));
  state.saved = before;
  const { link, close } = await attach(place, { kind: "named", name: "s" }, local);
  const events: SessionEvent[] = [];
  link.subscribe((event) => events.push(event));
  state.emit(text(601, "Hello "));
  await expect.poll(() => textOf(events)).toBe("Hello ");
  state.saved = [...before, text(602, "Hello world")];
  await client.close("s");
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
  const client = createServerClient(accessTo({ ...place, fetch: fetchOnceFailing }));
  const state = await client.open({ kind: "resume", id: "s" });
  const link = await connectLink({ place, client, state });
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
