/**
 * Kills `localharness serve` at random points under load, as a power cut does, and starts it again: clients go on by themselves,
 * no saved event is lost or comes twice, and no call runs twice. `LOCALHARNESS_KILLS=100` kills a hundred times.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { emptyView, foldEvents, type SessionEvent } from "@localharness/protocol";
import { type Attached, attach } from "@localharness/server/client";
import { expect, test } from "vitest";
import { killCount } from "./faults/kill-count.ts";
import { configure, makePlace, type Place } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";
import { type Served, serve } from "./served.ts";

const kills = killCount(5);
const sessions = 3;
const model = await serveModel();

const local = {
  editDraft: () => Promise.reject(new Error("not here")),
  readClipboardImage: () => Promise.reject(new Error("not here")),
  runInTerminal: () => Promise.reject(new Error("not here")),
};

/** A client that stays attached over all kills. */
interface Client {
  readonly attached: Attached;
  readonly events: SessionEvent[];
}

test(`over ${kills} kills`, async () => {
  const place = makePlace();
  // The calls bring nothing new, and a turn must not end before it is killed. The number of answers in a request selects the
  // next call of the model, so that no answer may be left out.
  const settings = { "limits.iterations_without_progress": 4_000, compact: "off" };
  configure(place, "config.json", JSON.stringify(settings));
  const calls = (name: string) => ({
    says: name,
    // Each answer of the model makes one call, which writes one line.
    turns: Array.from({ length: 4_000 }, (_, at) => ({
      text: "Some words before the call. ".repeat(3),
      calls: [{ name: "bash", arguments: { command: `echo ${name}-${at} >> calls.txt` } }],
      deltaChars: 4,
    })),
  });
  model.use({ turns: [], conversations: ["one", "two", "three"].map(calls), withoutBodies: true });
  const random = randomFrom(Number(process.env["LOCALHARNESS_SEED"] ?? 7));
  const args = [
    ...argumentsFor(model),
    "--sandbox",
    "off",
    "--mode",
    "bypass",
    "--iterations-per-turn",
    "4000",
  ];
  let served = await startAgain(args, place, "127.0.0.1:0");
  const listen = new URL(served.address).host;
  const clients: Client[] = [];
  for (const content of ["one", "two", "three"].slice(0, sessions)) {
    const { id } = await served.open();
    clients.push(await attachTo(served, id));
    clients.at(-1)?.attached.link.send({ type: "user-message", content });
  }
  for (let kill = 1; kill <= kills; kill += 1) {
    const wanted = clients.map(({ events }) => events.length + 5 + random(120));
    await Promise.all(clients.map((client, at) => reached(client, wanted[at] ?? 0, kill)));
    served.run.child.kill("SIGKILL");
    await served.run.ended;
    served = await startAgain(args, place, listen);
    await Promise.all(clients.map((client) => isBack(client, kill)));
    for (const { attached } of clients)
      attached.link.send({ type: "user-message", content: `go on ${kill}` });
  }
  for (const { attached } of clients) attached.link.send({ type: "interrupt" });
  for (const client of clients) await checkClient(client, served);
  const lines = existsSync(join(place.workspace, "calls.txt"))
    ? readFileSync(join(place.workspace, "calls.txt"), "utf8").trim().split("\n")
    : [];
  expect(lines.length).toBeGreaterThan(kills);
  expect(new Set(lines).size).toBe(lines.length);
  served.run.child.kill("SIGKILL");
  await served.run.ended;
});

function startAgain(args: readonly string[], place: Place, listen: string): Promise<Served> {
  const env = { LOCALHARNESS_PARALLEL_REQUESTS: "8" };
  return serve(["--listen", listen, ...args], { place, env });
}

async function attachTo(served: Served, id: string): Promise<Client> {
  const place = { address: served.address, key: served.token, name: "the test" };
  const attached = await attach(place, { kind: "named", name: id }, local);
  const events: SessionEvent[] = [...attached.link.history];
  attached.link.subscribe((event) => {
    // The link tells of itself with notices that no session has.
    if (event.type !== "notice" || event.code !== "link") events.push(event);
  });
  return { attached, events };
}

function reached({ events }: Client, count: number, kill: number): Promise<void> {
  return expect.poll(() => events.length >= count, { message: `events before kill ${kill}` }).toBe(true);
}

/** Waits until the client has the end of the turn that the kill interrupted. */
function isBack({ events }: Client, kill: number): Promise<void> {
  const ends = () => events.filter((event) => event.type === "turn-end" && event.code === "program-ended");
  return expect.poll(() => ends().length, { message: `the client is back after kill ${kill}` }).toBe(kill);
}

/** Compares what the client was shown with what the server has. */
async function checkClient({ attached, events }: Client, served: Served): Promise<void> {
  const { id } = attached.link;
  const follower = served.follow({ session: id });
  const state = async () => (await served.request("GET", `/api/sessions/${id}`)).json;
  // Events may come after the end of the turn.
  const seen = async () => {
    const { running, last } = await state();
    return { running, behind: [events, follower.events].map((list) => last - (list.at(-1)?.seq ?? 0)) };
  };
  await expect.poll(seen).toEqual({ running: false, behind: [0, 0] });
  attached.close();
  const saved = foldEvents(emptyView, follower.events).messages;
  const shown = foldEvents(emptyView, renumbered(events)).messages;
  expect(settled(shown)).toEqual(settled(saved));
  const results = follower.events.flatMap((event) => (event.type === "tool-result" ? [event.callId] : []));
  expect(new Set(results).size).toBe(results.length);
}

/** Returns the events with new numbers, because a kill makes numbers come again. */
function renumbered(events: readonly SessionEvent[]): readonly SessionEvent[] {
  return events.map((event, at) => ({ ...event, seq: at + 1 }));
}

/** Returns the messages that were shown as done: those of an answer that a kill cut off may be shorter on disk. */
function settled(messages: readonly object[]): readonly object[] {
  return messages.filter((message) => {
    const { role, toolCalls } = message as { readonly role: string; readonly toolCalls?: readonly object[] };
    return role !== "assistant" || (toolCalls?.length ?? 0) > 0;
  });
}

/** Returns a function that yields the same numbers for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * below);
  };
}
