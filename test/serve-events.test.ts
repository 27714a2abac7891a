/** Checks that clients of `localharness serve` get each event once and in order, however often they come back. */
import type { SessionEvent } from "@localharness/protocol";
import { emptyView, foldEvents } from "@localharness/protocol";
import { expect, test } from "vitest";
import { argumentsFor, serveModel } from "./serve-model.ts";
import { type Served, serve } from "./served.ts";

const model = await serveModel();
const letters = "abcdefghijklmnopqrstuvwxyz ".repeat(60);

test("over reconnects at random points", async () => {
  await using served = await serve(argumentsFor(model));
  model.use({
    turns: [
      {
        reasoning: "Hm. ".repeat(50),
        text: letters,
        calls: [{ name: "ls", arguments: {} }],
        deltaChars: 2,
        everyMs: 1,
      },
      { text: letters, deltaChars: 3 },
    ],
  });
  const { id } = await served.open();
  const clients = Array.from({ length: 6 }, (_, seed) => comeAndGo(served, id, randomFrom(seed + 1)));
  await served.send(id, { type: "user-message", content: "go" });
  const all = await Promise.all(clients);
  for (const events of all) {
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    expect(events).toEqual(all[0]);
  }
  const late = served.follow({ session: id });
  await late.event("turn-end");
  const messages = (events: readonly SessionEvent[]) => foldEvents(emptyView, events).messages;
  expect(messages(late.events)).toEqual(messages(all[0] ?? []));
});

/** Connects, leaves after a random number of events, and goes on from there, until the turn has ended. */
async function comeAndGo(
  served: Served,
  session: string,
  random: (below: number) => number,
): Promise<readonly SessionEvent[]> {
  const got: SessionEvent[] = [];
  let log: string | undefined;
  for (;;) {
    const after = got.at(-1)?.seq ?? 0;
    const follower = served.follow({ session, after, ...(log === undefined ? {} : { log }) });
    const first = await follower.until("events");
    expect(first.whole).toBe(after === 0);
    const most = after + 1 + random(400);
    const isLast = ({ type, seq }: SessionEvent) => type === "turn-end" || seq >= most;
    await follower.until("events", ({ events }) => events.some(isLast));
    follower.close();
    await follower.closed;
    log = follower.log;
    got.push(...follower.events);
    if (got.at(-1)?.type === "turn-end") return got;
  }
}

/** Returns a function that yields the same numbers for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * below);
  };
}
