/** The contract of the rules: each format takes each rule for each kind of value, or the table has the reason. */
import { describe, expect, test } from "vitest";
import { reasonAgainst, ruleIds } from "../../src/formats/rules.ts";
import { table } from "../../src/formats/table.ts";
import { allCells, gridLines } from "./grid.ts";

const cells = allCells();

describe("each format that takes the rule reads what it damages", () => {
  test.each(ruleIds)("%s", (rule) => {
    const wrong = cells.filter((cell) => cell.rule === rule && cell.reason === undefined && cell.problem);
    expect(wrong.map(({ format, kind, text, problem }) => ({ format, kind, text, problem }))).toEqual([]);
  });
});

test.each(ruleIds)("%s damages a call in every format, or has a reason", (rule) => {
  const without = table.filter(({ id }) => !cells.some((cell) => cell.rule === rule && cell.format === id));
  expect(without.filter(({ id }) => reasonAgainst(id, rule) === undefined).map(({ id }) => id)).toEqual([]);
});

test("the grid names each rule, and counts the cells", () => {
  const lines = gridLines(cells);
  for (const rule of ruleIds) expect(lines.some((line) => line.startsWith(`${rule} `))).toBe(true);
  expect(lines.at(-1)).toMatch(
    /^rules: \d+ rules x \d+ formats: (\d+)\/\1 cells taken, \d+ pairs with a reason$/,
  );
});
