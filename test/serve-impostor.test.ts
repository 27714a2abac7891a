/** Checks that a program which takes the port of an ended server gets nothing of worth from `attach` and `serve link`. */
import { readFileSync, writeFileSync } from "node:fs";
import type { SessionEvent } from "@localharness/protocol";
import { attach, type LocalMethods } from "@localharness/server/client";
import { expect, test } from "vitest";
import { credentialsIn, type Got, impostorAt } from "./impostor.ts";
import { run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";
import { ask, serve, serverFile } from "./served.ts";

const model = await serveModel();
const wire = argumentsFor(model);
/** Nothing here uses the person's own terminal. */
const local = {} as LocalMethods;

test("an attached screen asks for a proof again, says what answers, and goes on when the server is back", async () => {
  const first = await serve(wire);
  const { address, token, place } = first;
  model.use({ turns: [{ text: "Before." }, { text: "After." }] });
  const server = { address, key: token, name: "a terminal" };
  const { id } = await first.open();
  const { link, close } = await attach(server, { kind: "named", name: id }, local);
  const events: SessionEvent[] = [];
  link.subscribe((event) => events.push(event));
  const turns = () => events.filter(({ type }) => type === "turn-end").length;
  link.send({ type: "user-message", content: "one" });
  await expect.poll(turns).toBe(1);
  await first[Symbol.asyncDispose]();
  const got: Got[] = [];
  {
    await using impostor = await impostorAt(address);
    const told = () => events.flatMap((event) => (event.type === "notice" ? [event.message] : []));
    await expect.poll(() => told().join("\n")).toContain(`another program answers at ${address}`);
    link.send({ type: "user-message", content: "tell nobody" });
    const asked = impostor.got.length;
    await expect.poll(() => impostor.got.length).toBeGreaterThan(asked);
    await expect(attach(server, { kind: "newest" }, local)).rejects.toThrow("nothing was sent");
    got.push(...impostor.got);
  }
  for (const word of [token, "tell nobody"]) expect(JSON.stringify(got)).not.toContain(word);
  await using again = await serve(["--listen", new URL(address).host, ...wire], { place });
  await expect.poll(turns).toBe(2);
  expect(JSON.stringify(events)).toContain("tell nobody");
  close();
  for (const one of credentialsIn(got)) {
    const headers = { Authorization: `Bearer ${one}` };
    expect((await ask(`${again.address}/api/hub`, "GET", undefined, headers)).status).toBe(401);
  }
});

test("serve link asks only a server that proves that it knows the token", async () => {
  const server = await serve(wire);
  const { address, place, token } = server;
  await server[Symbol.asyncDispose]();
  await using impostor = await impostorAt(address);
  const file = serverFile(place);
  const state = JSON.parse(readFileSync(file, "utf8"));
  // The list names a process that runs, as it does when the id of the ended one is in use again.
  const servers = state.servers.map((one: object) => ({ ...one, pid: process.pid }));
  writeFileSync(file, JSON.stringify({ ...state, servers }));
  const ended = await run(["serve", "link"], { place });
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(`another program answers at ${address}`);
  expect(impostor.got.map(({ url }) => url)).toEqual(["/api/prove"]);
  expect(JSON.stringify(impostor.got)).not.toContain(token);
});
