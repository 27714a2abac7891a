/** Checks how model events grow a draft, and which message a draft becomes. */
import { type Draft, draftMessage, emptyDraft, growDraft, type ModelEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";

const grow = (events: readonly ModelEvent[], from: Draft = emptyDraft) => events.reduce(growDraft, from);
const start = (index: number, name: string): ModelEvent => ({
  type: "tool-call-start",
  index,
  id: `id${index}`,
  name,
});
const end = (index: number, name: string): ModelEvent => ({
  type: "tool-call-end",
  index,
  id: `id${index}`,
  name,
  arguments: "{}",
});
const call = (index: number, name: string) => ({ id: `id${index}`, name, arguments: "{}" });

const cases: readonly { name: string; events: readonly ModelEvent[]; draft: Draft }[] = [
  { name: "is empty at first", events: [], draft: emptyDraft },
  {
    name: "joins text and reasoning apart from one another",
    events: [
      { type: "reasoning-delta", text: "hm" },
      { type: "text-delta", text: "a" },
      { type: "reasoning-delta", text: "m" },
      { type: "text-delta", text: "b" },
    ],
    draft: { ...emptyDraft, text: "ab", reasoning: "hmm" },
  },
  {
    name: "shows a call as opening until it ends",
    events: [start(0, "ls"), { type: "tool-call-delta", index: 0, argumentsText: "{" }],
    draft: { ...emptyDraft, opening: { 0: "ls" } },
  },
  {
    name: "keeps calls in the order in which they end",
    events: [start(0, "a"), start(1, "b"), end(1, "b"), end(0, "a")],
    draft: { ...emptyDraft, toolCalls: [call(1, "b"), call(0, "a")] },
  },
  {
    name: "takes a call that never started",
    events: [end(3, "a")],
    draft: { ...emptyDraft, toolCalls: [call(3, "a")] },
  },
  {
    name: "keeps the text of a call that cannot be read, and closes its opening",
    events: [
      { type: "text-delta", text: "so: " },
      start(0, "ls"),
      { type: "tool-call-error", index: 0, raw: "<tool>{", reason: "cut", message: "it is cut" },
    ],
    draft: { ...emptyDraft, text: "so: <tool>{" },
  },
  {
    name: "waits no longer for a call that is withdrawn",
    events: [start(0, "ls"), start(1, "cat"), { type: "tool-call-withdrawn", index: 0 }],
    draft: { ...emptyDraft, opening: { 1: "cat" } },
  },
];

describe("a draft", () => {
  test.each(cases)("$name", ({ events, draft }) => {
    expect(grow(events)).toEqual(draft);
  });

  test.each<ModelEvent>([
    { type: "usage", inputTokens: 1 },
    { type: "prompt-progress", totalTokens: 2, cachedTokens: 0, doneTokens: 1 },
    { type: "model-retry", attempt: 1, waitMs: 5, message: "again" },
    { type: "tool-call-delta", index: 0, argumentsText: "{" },
    { type: "tool-call-withdrawn", index: 0 },
    { type: "model-end", stopReason: "stop" },
    { type: "model-error", code: "timeout", message: "late", retryable: true },
  ])("is the same object after $type", (event) => {
    expect(growDraft(emptyDraft, event)).toBe(emptyDraft);
  });

  test("knows the first thousand of calls that have only begun", () => {
    const begun = Array.from({ length: 1_200 }, (_, index) => start(index, "ls"));
    expect(Object.keys(grow(begun).opening)).toHaveLength(1_000);
  });

  test("does not change the draft it grows from", () => {
    const before = structuredClone(emptyDraft);
    grow([start(0, "a"), end(0, "a"), { type: "text-delta", text: "x" }]);
    expect(emptyDraft).toEqual(before);
  });
});

describe("the message of a draft", () => {
  const text = { ...emptyDraft, text: "hello" };
  test.each<{ name: string; draft: Draft; partial?: "interrupted" | "error"; message: unknown }>([
    { name: "is nothing when nothing was said", draft: emptyDraft, message: undefined },
    {
      name: "is nothing when only a call was opening",
      draft: { ...emptyDraft, opening: { 0: "ls" } },
      message: undefined,
    },
    { name: "has its text alone", draft: text, message: { role: "assistant", content: "hello" } },
    {
      name: "says that it was cut short",
      draft: text,
      partial: "interrupted",
      message: { role: "assistant", content: "hello", partial: "interrupted" },
    },
    {
      name: "carries reasoning and calls",
      draft: { text: "", reasoning: "hm", toolCalls: [call(0, "ls")], opening: { 1: "rm" } },
      message: { role: "assistant", content: "", reasoning: "hm", toolCalls: [call(0, "ls")] },
    },
  ])("$name", ({ draft, partial, message }) => {
    expect(draftMessage(draft, partial)).toEqual(message);
  });
});
