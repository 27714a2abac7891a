import type { EventBody, ModelEvent } from "@localharness/protocol";
import { expect, test } from "vitest";
import type { Model, WaitingPhase } from "../../src/index.ts";
import { followPhases } from "../../src/turn/follow-phases.ts";
import { createReadingPace } from "../../src/turn/reading-pace.ts";

type Step = { readonly at: number } & (
  | { readonly enter: WaitingPhase }
  | { readonly event: ModelEvent }
  | { readonly end: true }
);

const model: Model = { name: "m", provider: "p", stream: async function* () {} };
const text: ModelEvent = { type: "text-delta", text: "a" };
const thought: ModelEvent = { type: "reasoning-delta", text: "a" };
const call: ModelEvent = { type: "tool-call-start", index: 0, id: "c", name: "ls" };

function phasesOf(steps: readonly Step[], pace = createReadingPace()): readonly EventBody[] {
  const emitted: EventBody[] = [];
  let now = 0;
  const follower = followPhases({
    emit: (event) => emitted.push(event),
    model: () => model,
    pace,
    promptWindow: { filling: () => ({ window: undefined, tokens: 1_000 }) },
    batchParts: { clock: { now: () => 0, monotonic: () => now } },
  });
  for (const step of steps) {
    now = step.at;
    if ("enter" in step) follower.enter(step.enter);
    else if ("event" in step) follower.take(step.event);
    else follower.end();
  }
  return emitted;
}

const phase = (name: string, atMs: number, more: object = {}) => ({
  type: "model-phase",
  phase: name,
  atMs,
  ...more,
});
const reading = (atMs: number) => phase("reading", atMs, { tokens: 1_000 });

test.each<{ name: string; steps: readonly Step[]; events: readonly object[] }>([
  {
    name: "a model that reports nothing",
    steps: [
      { at: 1, event: thought },
      { at: 2, event: text },
    ],
    events: [],
  },
  {
    name: "all phases, each once",
    steps: [
      { at: 10, enter: "connecting" },
      { at: 12, enter: "reading" },
      { at: 13, enter: "reading" },
      { at: 500, event: thought },
      { at: 510, event: thought },
      { at: 900, event: text },
      { at: 910, event: text },
      { at: 920, event: call },
    ],
    events: [phase("connecting", 0), reading(2), phase("thinking", 490), phase("writing", 890)],
  },
  {
    name: "the server loads the model after it has taken the request",
    steps: [
      { at: 0, enter: "connecting" },
      { at: 1, enter: "reading" },
      { at: 3, enter: "loading" },
      { at: 90_000, event: call },
    ],
    events: [phase("connecting", 0), reading(1), phase("loading", 3), phase("writing", 90_000)],
  },
  {
    name: "a thought between two texts",
    steps: [
      { at: 0, enter: "reading" },
      { at: 5, event: text },
      { at: 6, event: thought },
      { at: 7, event: text },
    ],
    events: [reading(0), phase("writing", 5), phase("thinking", 6), phase("writing", 7)],
  },
  {
    name: "a report that comes too late",
    steps: [
      { at: 0, enter: "connecting" },
      { at: 5, event: text },
      { at: 6, enter: "loading" },
      { at: 7, end: true },
      { at: 8, enter: "reading" },
    ],
    events: [phase("connecting", 0), phase("writing", 5)],
  },
  {
    name: "a call that fails before its answer",
    steps: [
      { at: 0, enter: "connecting" },
      { at: 9, end: true },
      { at: 10, enter: "reading" },
    ],
    events: [phase("connecting", 0)],
  },
])("$name", ({ steps, events }) => {
  expect(phasesOf(steps)).toEqual(events);
});

test("the time of reading is measured, without the time of loading", () => {
  const usage: ModelEvent = { type: "usage", inputTokens: 1_000 };
  const pace = createReadingPace();
  phasesOf(
    [
      { at: 0, enter: "reading" },
      { at: 1, enter: "loading" },
      { at: 60_000, event: text },
      { at: 60_001, event: usage },
    ],
    pace,
  );
  expect(pace.expect(model, 2_000)).toEqual({ tokens: 1_000 });
  phasesOf(
    [
      { at: 0, enter: "reading" },
      { at: 2_000, event: text },
      { at: 2_100, event: { ...usage, cachedTokens: 0 } },
    ],
    pace,
  );
  expect(pace.expect(model, 2_000)).toEqual({ tokens: 1_000, expectedMs: 2_000 });
});
