/** Checks that a session is folded once, however its events arrive. */
import { type EventBody, maxKeptChars, type SessionEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import { createSessionFold } from "../../src/session/session-state.ts";

const event = (seq: number, body: EventBody): SessionEvent => ({ sessionId: "s", turnId: "t", seq, ...body });
const text = (seq: number) => event(seq, { type: "text-delta", text: `${seq} ` });
const shown = (fold: ReturnType<typeof createSessionFold>) =>
  fold.state().items.map((item) => ("text" in item ? item.text : item.kind));

test("an event that comes twice counts once", () => {
  const fold = createSessionFold("s");
  fold.take({ kind: "events", events: [text(1), text(2)], whole: true }, 0);
  fold.take({ kind: "events", events: [text(2), text(3)] }, 0);
  expect(shown(fold)).toEqual(["1 2 3 "]);
  expect(fold.state().view.lastSeq).toBe(3);
});

test("a whole history replaces what is there, and keeps the person's own commands", () => {
  const fold = createSessionFold("s");
  fold.take({ kind: "events", events: [text(1), text(2)], whole: true }, 0);
  fold.put({ key: "command:1", kind: "command", command: "ls", output: "", running: false });
  fold.take({ kind: "events", events: [text(9)], whole: true }, 0);
  expect(shown(fold)).toEqual(["command", "9 "]);
});

test("a history in several frames is loaded with its last one", () => {
  const fold = createSessionFold("s");
  fold.take({ kind: "events", events: [text(1)], whole: true, more: true }, 0);
  expect(fold.state().loaded).toBe(false);
  fold.take({ kind: "events", events: [text(2)] }, 0);
  expect(fold.state().loaded).toBe(true);
});

test.each([
  ["whole", true],
  ["from where the page is", false],
])("a history that comes again %s, in several frames, is shown when it is complete", (_, whole) => {
  const fold = createSessionFold("s");
  fold.take({ kind: "events", events: [text(1), text(2)], whole: true }, 0);
  const before = fold.state();
  const first = whole ? [text(1)] : [text(3)];
  fold.take({ kind: "events", events: first, log: "l", sharedTo: 0, whole, more: true }, 0);
  expect(fold.state()).toBe(before);
  // A link that is lost now goes on from here.
  expect(fold.lastSeq()).toBe(first[0]?.seq);
  fold.take({ kind: "events", events: whole ? [text(2), text(3)] : [], more: true }, 0);
  expect(fold.state()).toBe(before);
  fold.take({ kind: "events", events: [text(4)] }, 0);
  expect(fold.state().loaded).toBe(true);
  expect(shown(fold)).toEqual(["1 2 3 4 "]);
});

test("a message that waits leaves the list when the session takes it", () => {
  const fold = createSessionFold("s");
  fold.addWaiting("first");
  fold.addWaiting("second");
  fold.take(
    { kind: "events", events: [event(1, { type: "user-message", content: "first", from: "person" })] },
    0,
  );
  expect(fold.state().waiting).toEqual(["second"]);
  expect(fold.dropWaiting()).toEqual(["second"]);
  expect(fold.state().waiting).toEqual([]);
});

test("of a result of 100 MB the beginning and the end are kept", () => {
  const fold = createSessionFold("s");
  const data = `begin${"x".repeat(100_000_000)}end`;
  const metadata = { execution_time_ms: 1, data_size_bytes: data.length, timestamp: 0 };
  const result = { success: true, data, error_message: null, error_type: "none", metadata } as const;
  fold.take(
    {
      kind: "events",
      events: [event(1, { type: "tool-result", callId: "c", toolName: "x", result, display: "" })],
    },
    0,
  );
  const [item] = fold.state().items;
  const kept = item?.kind === "call" ? (item.result?.data ?? "") : "";
  expect(kept.length).toBeLessThan(maxKeptChars + 100);
  expect([kept.slice(0, 5), kept.slice(-3)]).toEqual(["begin", "end"]);
  expect(JSON.stringify(fold.state().view.messages).length).toBeLessThan(2 * maxKeptChars);
});
