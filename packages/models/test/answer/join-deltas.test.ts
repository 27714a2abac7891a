import type { ModelEvent } from "@localharness/protocol";
import { describe, expect, it } from "vitest";
import { joinDeltas } from "../../src/answer/join-deltas.ts";

const text = (value: string): ModelEvent => ({ type: "text-delta", text: value });
const thought = (value: string): ModelEvent => ({ type: "reasoning-delta", text: value });
const part = (index: number, argumentsText: string): ModelEvent => ({
  type: "tool-call-delta",
  index,
  argumentsText,
});
const end: ModelEvent = { type: "model-end", stopReason: "stop" };

const cases: readonly { title: string; events: readonly ModelEvent[]; joined: readonly ModelEvent[] }[] = [
  { title: "nothing stays nothing", events: [], joined: [] },
  { title: "a lone event stays", events: [text("a")], joined: [text("a")] },
  { title: "texts become one", events: [text("a"), text("b"), text("c")], joined: [text("abc")] },
  {
    title: "thought and text stay apart",
    events: [thought("a"), thought("b"), text("c"), thought("d")],
    joined: [thought("ab"), text("c"), thought("d")],
  },
  {
    title: "arguments of different calls stay apart",
    events: [part(0, "{"), part(0, "}"), part(1, "{"), part(0, " ")],
    joined: [part(0, "{}"), part(1, "{"), part(0, " ")],
  },
  {
    title: "what is no delta divides",
    events: [text("a"), { type: "usage", inputTokens: 1 }, text("b"), end],
    joined: [text("a"), { type: "usage", inputTokens: 1 }, text("b"), end],
  },
];

describe("joining deltas", () => {
  it.each(cases)("$title", ({ events, joined }) => expect(joinDeltas(events)).toEqual(joined));
});
