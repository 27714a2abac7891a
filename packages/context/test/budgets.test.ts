/** How the context window is divided. */
import { describe, expect, test } from "vitest";
import { defaultShares, resultChars, shareChars, toolDetail } from "../src/budgets.ts";

describe("the characters of one tool result are a fifth of the window", () => {
  test.each([
    [undefined, 16_000],
    [1_024, 1_500],
    [4_096, 2_457],
    [8_192, 4_915],
    [16_384, 9_830],
    [131_072, 16_000],
  ])("window %s: %s", (window, expected) => {
    expect(resultChars(window, 16_000)).toBe(expected);
  });

  test("or the share that is set", () => {
    expect(resultChars(8_192, 16_000, 10)).toBe(2_457);
  });
});

describe("tools are described in as much detail as their share has room for", () => {
  const sizes = { full: 4_200, compact: 3_000 };
  test.each([
    [undefined, 20, "full"],
    [8_192, 20, "full"],
    [7_000, 20, "full"],
    [6_000, 20, "compact"],
    [4_096, 20, "minimal"],
    [4_096, 60, "full"],
    [8_192, 5, "minimal"],
  ] as const)("in a window of %s tokens with %i %%: %s", (window, percent, expected) => {
    expect(toolDetail(window, sizes, percent)).toBe(expected);
  });
});

test("an unknown window has room for everything", () => {
  expect(shareChars(undefined, 1)).toBe(Number.POSITIVE_INFINITY);
});

test("the shares of a prompt leave room for its messages", () => {
  const { systemPrompt, instructions, tools, reply } = defaultShares;
  expect(100 - systemPrompt - instructions - tools - reply).toBeGreaterThanOrEqual(defaultShares.result);
});
