/** Checks which items the events of a session become, in one fold and in many. */
import {
  createTimeline,
  type EventBody,
  foldItems,
  type Item,
  keptEvent,
  maxKeptChars,
  type TimelineChange,
} from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import {
  aborted,
  answer,
  ask,
  begin,
  done,
  end,
  interrupted,
  iteration,
  number,
  over,
  progress,
  result,
  retry,
  start,
  text,
  thought,
  unreadable,
  written,
} from "./bodies.ts";

/** Returns an item in one line: its kind, its state and what it says. */
function brief(item: Item): string {
  switch (item.kind) {
    case "call":
      return `call ${item.callId} ${item.state}${item.progress === "" ? "" : ` ${item.progress}`}`;
    case "answer":
    case "thought":
      return `${item.kind}${item.live ? " live" : ""}: ${item.text}`;
    case "user":
    case "notice":
      return `${item.kind}: ${item.text}`;
    case "unreadable":
      return `unreadable: ${item.message}`;
    case "question":
      return `question: ${item.asker} ${item.action}`;
    default:
      return item.kind;
  }
}

interface Case {
  readonly name: string;
  readonly events: readonly EventBody[];
  readonly items: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: "a text, and the call after it",
    events: [iteration, text("I "), text("look."), begin(), written(), end],
    items: ["answer: I look.", "call c waiting"],
  },
  { name: "a call that is being written", events: [begin()], items: ["call c writing"] },
  {
    name: "a text that goes on while a call is written",
    events: [text("a"), begin(), text("b"), written(), text("c"), end],
    items: ["answer: ab", "call c waiting", "answer: c"],
  },
  {
    name: "a call that was none",
    events: [text("a"), begin(), { type: "tool-call-withdrawn", index: 0 }, text("b")],
    items: ["answer live: ab"],
  },
  {
    name: "a call that was not finished",
    events: [text("a"), begin(), aborted, interrupted],
    items: ["answer: a", "end"],
  },
  {
    name: "two calls at once, of which one cannot be read",
    events: [begin("a", 0), begin("b", 1), unreadable, written("b", 1), end],
    items: ["call b waiting", "unreadable: cut off"],
  },
  {
    name: "an answer that begins again",
    events: [
      iteration,
      thought("hm"),
      retry,
      text("void"),
      unreadable,
      written(),
      { type: "notice", level: "info", code: "read", message: "all read" },
      { type: "answer-restart" },
      thought("so"),
      text("new"),
    ],
    items: ["notice: once more", "notice: all read", "thought: so", "answer live: new"],
  },
  {
    name: "an answer that begins again after another one",
    events: [iteration, text("first"), end, text("void"), { type: "answer-restart" }],
    items: ["answer: first"],
  },
  {
    name: "a thought between two texts",
    events: [text("a"), thought("hm "), thought("so"), text("b")],
    items: ["answer: a", "thought: hm so", "answer live: b"],
  },
  {
    name: "a thought before a call, which ends when the call is read",
    events: [thought("hm"), begin()],
    items: ["thought live: hm", "call c writing"],
  },
  {
    name: "a call that runs",
    events: [written(), start(), progress("1 %"), progress("2 %")],
    items: ["call c running 2 %"],
  },
  {
    name: "a call that has ended",
    events: [written(), start(), progress("1 %"), done()],
    items: ["call c done"],
  },
  { name: "a call that nobody wrote", events: [start("x")], items: ["call x running"] },
  { name: "a result without a known call", events: [done("x")], items: ["call x done"] },
  { name: "progress of no known call", events: [progress("lost")], items: [] },
  {
    name: "progress after the result",
    events: [written(), done(), progress("late")],
    items: ["call c done"],
  },
  { name: "a call that is asked about", events: [written(), ask("q", "c")], items: ["call c asked"] },
  {
    name: "a call that was allowed",
    events: [written(), ask("q", "c"), answer("q")],
    items: ["call c waiting"],
  },
  {
    name: "a running call that asked",
    events: [written(), start(), ask("q", "c"), answer("q")],
    items: ["call c running"],
  },
  {
    name: "a running call of whose questions one waits",
    events: [written(), start(), ask("q", "c"), ask("r", "c"), answer("q")],
    items: ["call c asked"],
  },
  {
    name: "a question of no known call, as of an agent's call",
    events: [written(), ask("q", "other")],
    items: ["call c waiting"],
  },
  {
    name: "what the person, a file and the harness say",
    events: (["person", "file", "harness"] as const).map((from) => {
      return { type: "user-message", content: from, from } as const;
    }),
    items: ["user: person", "user: file", "user: harness"],
  },
  {
    name: "a server's question",
    events: [
      {
        type: "server-question",
        question: { questionId: "q", server: "files", message: "?", kind: "form", fields: [] },
      },
      { type: "server-question-answer", questionId: "q", action: "decline", by: "person" },
    ] as unknown as readonly EventBody[],
    items: ['question: the MCP server "files" decline'],
  },
  {
    name: "events that are no items",
    events: [{ type: "usage" }, { type: "executor-state", state: "idle" }],
    items: [],
  },
];

describe("the items", () => {
  test.each(cases)("$name", ({ events, items }) => {
    expect(foldItems(number(events)).map(brief)).toEqual(items);
  });

  const all = number(cases.flatMap(({ events }) => [...events, over]));

  test("a list that was given out never changes, wherever it was", () => {
    const timeline = createTimeline();
    const given: [readonly Item[], string][] = [];
    for (const event of all) {
      timeline.take(event, event.seq);
      given.push([timeline.items(), JSON.stringify(timeline.items())]);
      expect(timeline.items()).toBe(timeline.items());
    }
    for (const [items, then] of given) expect(JSON.stringify(items)).toBe(then);
    const whole = createTimeline();
    for (const event of all) whole.take(event, event.seq);
    expect(timeline.items()).toEqual(whole.items());
  });

  test("the changes, one after the other, make the same items", () => {
    const seen = new Map<string, Item>();
    let grown = "";
    const take = (change: TimelineChange) => {
      const { item } = change;
      if (change.kind === "removed") seen.delete(item.key);
      else {
        if (change.kind === "put") expect(change.before).toEqual(seen.get(item.key));
        else grown += change.by;
        seen.set(item.key, item);
      }
    };
    const timeline = createTimeline(take);
    for (const event of all) timeline.take(event);
    expect(new Map(timeline.items().map((item) => [item.key, item]))).toEqual(seen);
    const said = all.map((event) => ("text" in event && event.type !== "tool-progress" ? event.text : ""));
    expect(grown).toBe(said.join(""));
  });

  test("every key is there once", () => {
    const keys = foldItems(all).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

test("an item of the screen stays where it is when the answer begins again", () => {
  const timeline = createTimeline();
  const command = { key: "own:1", kind: "command", command: "ls", output: "" } as const;
  const [first, second, third, fourth] = number([
    iteration,
    text("void"),
    { type: "answer-restart" },
    text("new"),
  ]);
  for (const event of [first, second]) if (event !== undefined) timeline.take(event);
  timeline.put({ ...command, running: true });
  for (const event of [third, fourth]) if (event !== undefined) timeline.take(event);
  timeline.put({ ...command, running: false, exitCode: 0 });
  expect(timeline.items()).toMatchObject([{ kind: "command", exitCode: 0 }, { text: "new" }]);
});

test("of a result of 100 MB the beginning and the end are kept", () => {
  const [event] = number([done("c", { result: { ...result, data: `begin${"x".repeat(100_000_000)}end` } })]);
  const kept = event && keptEvent(event);
  const data = (kept?.type === "tool-result" && kept.result.data) || "";
  expect(data.length).toBeLessThan(maxKeptChars + 100);
  expect([data.slice(0, 5), data.slice(-3)]).toEqual(["begin", "end"]);
});

const failure = {
  ...result,
  success: false,
  data: null,
  error_type: "permission_denied",
  error_message: "no",
};

test.each([
  ["words for the person", { result: failure, why: "you denied it" }, "you denied it"],
  ["a message for both", { result: failure }, "no"],
  ["no failure", {}, undefined],
])("the item of a call with %s says why it failed", (_, more, why) => {
  const [item] = foldItems(number([start(), done("c", more)]));
  expect(item?.kind === "call" && item.why).toBe(why);
});
