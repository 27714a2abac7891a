import { expect, test } from "vitest";
import type { TrialAnswer } from "../../../src/models/doctor/ask.ts";
import { speedsOf } from "../../../src/models/doctor/speeds.ts";
import { silentAnswer } from "./silent-answer.ts";

const answer = (numbers: Partial<TrialAnswer>): TrialAnswer => ({ ...silentAnswer, ...numbers });

test.each([
  { name: "no answers", answers: [], speeds: {} },
  { name: "no counts", answers: [answer({ firstMs: 100, restMs: 100 })], speeds: {} },
  {
    name: "the times of all answers together",
    answers: [
      answer({ readTokens: 100, firstMs: 100, outputTokens: 50, restMs: 1_000 }),
      answer({ readTokens: 900, firstMs: 900, outputTokens: 150, restMs: 3_000 }),
    ],
    speeds: { readsPerSecond: 1_000, writesPerSecond: 50 },
  },
  {
    name: "a prompt from the server's cache does not count",
    answers: [answer({ readTokens: 0, firstMs: 5 }), answer({ readTokens: 200, firstMs: 400 })],
    speeds: { readsPerSecond: 500 },
  },
  { name: "an answer in one piece", answers: [answer({ outputTokens: 9, restMs: 0.2 })], speeds: {} },
])("$name", ({ answers, speeds }) => {
  expect(speedsOf(answers)).toEqual(speeds);
});
