import { emptyView, foldEvents, type SessionEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import { createEventLog } from "../src/event-log.ts";

const of = (seq: number, body: object) => ({ sessionId: "s", turnId: "t1", seq, ...body }) as SessionEvent;

/** Returns a turn with an answer of `deltas` pieces. */
function turn(deltas: number): readonly SessionEvent[] {
  const bodies = [
    { type: "turn-start" },
    { type: "user-message", content: "hi", from: "person" },
    { type: "iteration-start", iteration: 1 },
    ...Array.from({ length: deltas }, (_, at) => ({ type: "text-delta", text: `${at} ` })),
    { type: "model-end", stopReason: "stop" },
    { type: "iteration-end", iteration: 1, toolCalls: 0 },
    { type: "turn-end", reason: "done", denied: 0 },
  ];
  return bodies.map((body, at) => of(at + 1, body));
}

test.each([0, 10, 20_000])(
  "a client that begins gets events that fold to the same view: %i deltas",
  (deltas) => {
    const events = turn(deltas);
    const log = createEventLog([]);
    for (const event of events) log.push(event);
    const since = log.since(0);
    expect(since.whole).toBe(true);
    const messages = (all: readonly SessionEvent[]) => foldEvents(emptyView, all).messages;
    expect(messages(since.events)).toEqual(messages(events));
    expect(since.events.length).toBeLessThan(9_000);
  },
);

test("a client that comes back gets each event that it missed, once", () => {
  const events = turn(20_000);
  const log = createEventLog([]);
  for (const event of events) log.push(event);
  for (let behind = 0; behind < 4_000; behind += 371) {
    const { events: missed, whole } = log.since(log.last() - behind);
    expect(whole).toBe(false);
    expect(missed.map(({ seq }) => seq)).toEqual(events.slice(events.length - behind).map(({ seq }) => seq));
  }
});

test.each([1, 5_000, 99_999])("a client at a seq that is not kept begins again: %i", (after) => {
  const log = createEventLog([]);
  for (const event of turn(20_000)) log.push(event);
  expect(log.since(after).whole).toBe(true);
});
