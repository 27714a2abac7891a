/** Checks which rows count as visible after a change of the window's size. */
import { describe, expect, test } from "vitest";
import { keptRows, type ShownRows, wrapsRows } from "../src/screen/kept-rows.ts";

const shown: ShownRows = {
  columns: 80,
  finished: [10, 10, 10, 60, 10],
  live: [80, 5, 80, 20],
  cursor: 1,
  column: 5,
  spilled: [],
};

describe("rows that are visible", () => {
  test.each<readonly [string, Partial<ShownRows>, number, number, boolean, object]>([
    ["all above the cursor", {}, 4, 100, true, { rows: 3, top: 0, spilled: [] }],
    ["none if the cursor is in the first rows", {}, 1, 80, true, { rows: 0, top: 0, spilled: [] }],
    ["less if rows above the cursor wrap", {}, 5, 40, true, { rows: 2, top: 0, spilled: [] }],
    [
      "less if the row of the cursor wraps before it",
      { column: 50 },
      6,
      40,
      true,
      { rows: 2, top: 0, spilled: [] },
    ],
    ["not less where the terminal cuts rows", {}, 5, 40, false, { rows: 4, top: 0, spilled: [] }],
    ["also one of which a part is visible", {}, 4, 40, true, { rows: 2, top: 0, spilled: [] }],
    ["below the rows of other programs", {}, 9, 80, true, { rows: 5, top: 3, spilled: [] }],
    [
      "none, and rows of the live part spilled",
      { cursor: 3 },
      1,
      80,
      true,
      { rows: 0, top: 0, spilled: [80, 5] },
    ],
    [
      "below spilled rows that came back",
      { spilled: [80, 80] },
      6,
      80,
      true,
      { rows: 3, top: 0, spilled: [] },
    ],
  ])("%s", (_title, change, row, columns, wraps, expected) => {
    expect(keptRows({ ...shown, ...change }, row, columns, wraps)).toEqual(expected);
  });

  test("are wrapped by tmux and most terminals", () => {
    expect(wrapsRows({ TERM: "xterm-256color" })).toBe(true);
    expect(wrapsRows({ TERM: "screen", STY: "1.pts" })).toBe(false);
    expect(wrapsRows({ TERM: "xterm", XTERM_VERSION: "XTerm(390)" })).toBe(false);
    expect(wrapsRows({ TERM: "screen", STY: "1.pts", TMUX: "/tmp/tmux,1,0" })).toBe(true);
  });
});
