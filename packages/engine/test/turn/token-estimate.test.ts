/** How the tokens of a prompt are estimated, and when a server has dropped a part of it. */
import type { ModelMessage } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { promptSize } from "../../src/turn/prompt-size.ts";
import { createTokenEstimate } from "../../src/turn/token-estimate.ts";

const latin = (chars: number) => ({ chars, weight: chars });
const chinese = (chars: number) => ({ chars, weight: 3 * chars });

describe("tokens before the first count", () => {
  test.each([
    ["Latin text has 3 characters a token", latin(3_000), 0, 1_000],
    ["Chinese text has one", chinese(1_000), 0, 1_000],
    ["tools count too", latin(3_000), 600, 1_200],
  ])("%s", (_what, size, toolChars, expected) => {
    expect(createTokenEstimate(toolChars).tokensOf(size)).toBe(expected);
  });
});

test("after a count only the growth is estimated", () => {
  const estimate = createTokenEstimate(500);
  estimate.learn(latin(4_000), 1_100);
  expect(estimate.tokensOf(latin(4_300))).toBe(1_200);
});

test("thoughts that were added count, and those that a server may have dropped do not", () => {
  const estimate = createTokenEstimate(0);
  expect(estimate.tokensOf({ ...latin(3_000), thought: 600 })).toBe(1_200);
  estimate.learn({ ...latin(4_000), thought: 900 }, 1_500);
  expect(estimate.tokensOf({ ...latin(4_300), thought: 1_200 })).toBe(1_700);
  expect(estimate.tokensOf(latin(4_300))).toBe(1_600);
  // A template has dropped a thought of 90,000 characters, so that the prompt was not cut.
  expect(estimate.learn({ ...latin(8_000), thought: 90_000 }, 2_500)).toBeUndefined();
});

test("the size of a prompt counts the thoughts since the last message of the person", () => {
  const said = (content: string, from: "person" | "harness" = "person"): ModelMessage => ({
    role: "user",
    content,
    from,
  });
  const thought = (reasoning: string): ModelMessage => ({ role: "assistant", content: "ok", reasoning });
  const sealed: ModelMessage = {
    role: "assistant",
    content: "",
    origin: { madeBy: "s", fields: { a: "bc" } },
  };
  expect(promptSize([said("q"), thought("abc")])).toEqual({ chars: 3, weight: 3, thought: 3 });
  expect(promptSize([said("q"), thought("abc"), said("n", "harness"), sealed])).toMatchObject({
    thought: 13,
  });
  expect(promptSize([said("q"), thought("abc"), said("r")])).toEqual({ chars: 4, weight: 4 });
});

test("the weight of a token is measured from the growth between two counts", () => {
  const estimate = createTokenEstimate(0);
  estimate.learn(latin(4_000), 2_000);
  estimate.learn(latin(5_000), 3_000);
  expect(estimate.tokensOf(latin(5_500))).toBe(3_500);
  expect(estimate.charsOf(100, latin(5_500))).toBe(100);
});

/** The characters of successive prompts, the server's counts, and what the last prompt must have had if it was cut. */
type Counts = readonly (readonly [chars: number, tokens: number])[];

describe("a prompt was cut", () => {
  test.each<[string, Counts, number | undefined]>([
    [
      "not when the counts grow with the prompts",
      [
        [8_000, 2_000],
        [12_000, 3_000],
      ],
      undefined,
    ],
    [
      "not when prose has 6 characters a token",
      [
        [8_000, 2_000],
        [32_000, 6_000],
      ],
      undefined,
    ],
    ["when the first count is too small for the prompt", [[80_000, 4_096]], 10_000],
    [
      "when a longer prompt has clearly fewer tokens",
      [
        [16_000, 4_000],
        [20_000, 2_200],
      ],
      4_500,
    ],
    [
      "when the counts stay at the window",
      [
        [16_000, 4_000],
        [18_000, 4_096],
        [22_400, 4_096],
      ],
      4_646,
    ],
    [
      "not when the server counts only what is new",
      [
        [16_000, 4_000],
        [20_000, 900],
        [60_000, 3_000],
      ],
      undefined,
    ],
    ["not when a short prompt is counted as nearly nothing", [[16_000, 10]], undefined],
  ])("%s", (_what, counts, expected) => {
    const estimate = createTokenEstimate(0);
    const found = counts.map(([chars, tokens]) => estimate.learn(latin(chars), tokens));
    expect(found.at(-1)).toBe(expected);
  });

  test("a compaction makes prompts shorter, which is no cut", () => {
    const estimate = createTokenEstimate(0);
    estimate.learn(latin(16_000), 4_000);
    estimate.forget();
    expect(estimate.learn(latin(8_000), 2_000)).toBeUndefined();
  });
});
