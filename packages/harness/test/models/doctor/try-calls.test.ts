import type { Model } from "@localharness/engine";
import { expect, test } from "vitest";
import type { TrialAnswer } from "../../../src/models/doctor/ask.ts";
import { tryCalls } from "../../../src/models/doctor/try-calls.ts";
import { silentAnswer } from "./silent-answer.ts";

const silent: TrialAnswer = { ...silentAnswer, text: "Hello.", firstMs: 1, restMs: 1 };
const model: Model = { name: "m", provider: "p", stream: () => (async function* () {})() };
const order = { count: 3, urgent: true, labels: [], address: { city: "Oslo" } };
const calling: Partial<TrialAnswer> = { calls: [{ name: "place_order", arguments: order }] };
const announcing: Partial<TrialAnswer> = { text: "I'll call place_order now." };
const refusing: Partial<TrialAnswer> = { failure: "no tools here", refusedTools: true };
const tooLong: Partial<TrialAnswer> = { failure: "the prompt is too long", tooLong: true };
const failing: Partial<TrialAnswer> = { failure: "engine fault" };

test.each<[string, readonly Partial<TrialAnswer>[], object]>([
  ["a native call", [calling], { calls: "native", announces: false }],
  ["no call at all", [{}, {}, {}], { calls: "none", announces: false }],
  ["a call in the second format", [{}, {}, calling], { calls: "text", format: "json", announces: false }],
  [
    "a server that fails at native calls and takes text",
    [failing, calling],
    { calls: "text", format: "hermes" },
  ],
  ["a server that fails at native calls, and no call", [failing, {}, {}], { broken: "engine fault" }],
  ["a server that fails at a format", [{}, failing, {}], { broken: "engine fault" }],
  ["a server without tools", [refusing, {}, {}], { calls: "none" }],
  [
    "a server that refuses tools after an announcement",
    [announcing, refusing, {}, {}],
    { calls: "none", announces: true },
  ],
  [
    "a server that fails after an announcement",
    [announcing, failing, {}, {}],
    { broken: "engine fault", announces: true },
  ],
  ["a format with a prompt that is too long", [refusing, {}, tooLong], { calls: "none" }],
  ["a late answer", [{ late: true }], { announces: false }],
])("%s", async (_what, answers, expected) => {
  let asked = 0;
  const {
    model: _model,
    wrongTypes: _types,
    ...found
  } = await tryCalls({
    open: async () => model,
    formats: ["hermes", "json"],
    say: () => undefined,
    put: async () => ({ ...silent, ...answers[asked++] }),
  });
  expect(found).toEqual({ announces: false, ...expected });
  expect(asked).toBe(answers.length);
});
