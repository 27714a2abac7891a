/** Checks the facts that an item has, and what a turn is said to do. */
import {
  createTimeline,
  type EventBody,
  foldItems,
  type Item,
  type ModelPhase,
  type Timeline,
} from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import {
  aborted,
  answer,
  ask,
  begin,
  done,
  end,
  failed,
  interrupted,
  iteration,
  number,
  over,
  preview,
  progress,
  retry,
  start,
  text,
  thought,
  written,
} from "./bodies.ts";

/** Returns the last item after the events, of which each came 10 ms after the one before. */
function last(bodies: readonly EventBody[], before: (timeline: Timeline) => void = () => undefined) {
  const timeline = createTimeline();
  for (const event of number(bodies)) {
    if (event.type === "permission-answer") before(timeline);
    timeline.take(event, event.seq * 10);
  }
  return timeline.items().at(-1);
}

describe("the facts of an item", () => {
  const denied = answer("q", { answer: "deny", note: "no" });
  test.each<{ name: string; item: Item | undefined; has: object; hasNot?: readonly string[] }>([
    {
      name: "a question shows what the call would change",
      item: last([written(), ask("q", "c", { preview })]),
      has: { state: "asked", diff: preview, preview },
    },
    {
      name: "a denied call has made no change, and has the note",
      item: last([written(), ask("q", "c", { preview }), denied, done("c", { result: failed })]),
      has: { answer: "deny", answerFrom: "person", note: "no", preview },
      hasNot: ["diff"],
    },
    {
      name: "a call that reports no change has made the one that was asked about",
      item: last([written(), ask("q", "c", { preview }), answer("q"), start(), done()]),
      has: { diff: preview },
    },
    {
      name: "a call has the change that it reports",
      item: last([written(), ask("q", "c", { preview }), answer("q"), start(), done("c", { diff: "@@" })]),
      has: { diff: "@@", preview },
    },
    {
      name: "the answer belongs to the call that was asked about, even before the call is known",
      item: last([ask("q", "a"), ask("r", "b"), denied, done("b"), done("a", { result: failed })]),
      has: { callId: "a", note: "no" },
    },
    {
      name: "no answer is of another call",
      item: last([ask("q", "a"), ask("r", "b"), denied, done("a"), done("b")]),
      has: { callId: "b" },
      hasNot: ["note", "answer"],
    },
    {
      name: "a plan is the one that the person changed",
      item: last([
        written(),
        ask("q", "c", { plan: { modes: [] }, arguments: { plan: "one" } }),
        answer("q", { plan: "two" }),
      ]),
      has: { plan: "two" },
    },
    {
      name: "the client that answered is named",
      item: last([written(), ask("q", "c"), answer("q")], (timeline) => timeline.answered("q", "Firefox")),
      has: { answeredBy: "Firefox" },
    },
    {
      name: "nobody is named when nobody answered",
      item: last([written(), ask("q", "c"), answer("q", { answer: "deny", by: "nobody" })]),
      has: { answeredBy: "nobody", answerFrom: "nobody" },
    },
    {
      name: "a call has the name and the arguments with which it runs",
      item: last([
        written(),
        { type: "tool-start", callId: "c", toolName: "shell", arguments: { x: 1 }, notes: ["typed"] },
      ]),
      has: { toolName: "shell", arguments: { x: 1 }, notes: ["typed"] },
    },
    {
      name: "progress names its agent",
      item: last([written(), start(), progress("half", "helper")]),
      has: { progress: "half", agent: "helper" },
    },
    {
      name: "a thought is timed from its first piece to what follows it",
      item: last([thought("a"), thought("b"), end]),
      has: { live: false, ms: 20 },
    },
    {
      name: "an interrupted text says so",
      item: last([text("a"), aborted]),
      has: { partial: "interrupted" },
    },
    {
      name: "a broken text says so",
      item: last([text("a"), { type: "model-error", code: "server-error", message: "", retryable: true }]),
      has: { partial: "error" },
    },
    {
      name: "the end of a turn counts calls and changes, and the time",
      item: last([{ type: "turn-start" }, done("a", { diff: "@@" }), done("b"), interrupted]),
      has: { kind: "end", reason: "interrupted", calls: 2, changes: 1, ms: 30 },
    },
    {
      name: "an end without words has its code",
      item: last([{ type: "turn-end", reason: "error", code: "timeout", denied: 1 }]),
      has: { message: "timeout", denied: 1 },
      hasNot: ["ms"],
    },
    {
      name: "a retry is a notice that can be told",
      item: last([retry]),
      has: { code: "model-retry", level: "warning" },
    },
  ])("$name", ({ item, has, hasNot = [] }) => {
    expect(item).toMatchObject(has);
    for (const field of hasNot) expect(item).not.toHaveProperty(field);
  });

  test("an event of the history has no times", () => {
    const items = foldItems(number([{ type: "turn-start" }, thought("a"), end, over]));
    for (const item of items) expect(item).not.toHaveProperty("ms");
  });
});

describe("what a turn does", () => {
  const phase = (name: ModelPhase): EventBody => ({ type: "model-phase", phase: name, atMs: 2 });
  const pause: EventBody = { type: "model-retry", attempt: 1, waitMs: 9, message: "later" };
  const reading: EventBody = { type: "prompt-progress", totalTokens: 12, cachedTokens: 8, doneTokens: 10 };
  test.each<{ events: readonly EventBody[]; does: object | undefined }>([
    { events: [], does: undefined },
    { events: [iteration], does: { kind: "model" } },
    { events: [iteration, reading], does: { kind: "reading", progress: { doneTokens: 10 } } },
    { events: [iteration, phase("loading")], does: { kind: "phase", phase: { phase: "loading" }, since: 2 } },
    { events: [iteration, phase("loading"), phase("writing")], does: { kind: "phase" } },
    { events: [iteration, reading, retry], does: { kind: "model" } },
    { events: [iteration, pause], does: { kind: "pause" } },
    { events: [retry], does: undefined },
    { events: [iteration, thought("hm"), thought("!")], does: { kind: "thinking", chars: 3 } },
    { events: [iteration, text("a")], does: { kind: "answering" } },
    {
      events: [thought("a"), begin(), { type: "tool-call-delta", index: 0, argumentsText: "{}" }],
      does: { kind: "writing-call", toolName: "bash", chars: 2 },
    },
    { events: [iteration, text("a"), end], does: undefined },
    {
      events: [written("a"), written("b"), start("a"), start("b")],
      does: { kind: "running", toolNames: ["bash", "bash"] },
    },
    { events: [written("a"), start("a"), done("a")], does: undefined },
    { events: [start("a"), over], does: undefined },
  ])("$does", ({ events, does }) => {
    const timeline = createTimeline();
    for (const event of number(events)) timeline.take(event, event.seq);
    if (does === undefined) expect(timeline.activity()).toBeUndefined();
    else expect(timeline.activity()).toMatchObject(does);
  });

  test("the end of a turn leaves no question and no open call", () => {
    const timeline = createTimeline();
    const events = number([written(), ask("q", "c"), over]);
    for (const event of events.slice(0, 2)) timeline.take(event);
    expect([timeline.questions().length, timeline.openCalls().length]).toEqual([1, 1]);
    for (const event of events) timeline.take(event);
    expect([timeline.questions().length, timeline.openCalls().length]).toEqual([0, 0]);
  });
});
