/** How the context window is divided. */
import { describe, expect, test } from "vitest";
import { needsFewTools, resultChars } from "../src/budgets.ts";

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
});

test.each([
  [undefined, false],
  [4_096, true],
  [8_192, false],
])("a window of %s tokens gets the smallest set of tools: %s", (window, expected) => {
  expect(needsFewTools(window)).toBe(expected);
});
