/** Checks the exit codes of turns. */
import type { TurnEnd } from "@localharness/engine";
import { expect, test } from "vitest";
import { exitCodeOf } from "../../src/commands/exit-code.ts";

const rows: [TurnEnd["reason"], number, number][] = [
  ["done", 0, 0],
  ["done", 2, 4],
  ["iteration-limit", 0, 3],
  ["iteration-limit", 1, 3],
  ["loop", 0, 3],
  ["error", 0, 1],
  ["interrupted", 1, 130],
];

test.each(rows)("%s with %i denied calls is %i", (reason, denied, code) => {
  expect(exitCodeOf({ type: "turn-end", reason, denied })).toBe(code);
});
