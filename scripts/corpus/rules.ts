/** Crosses each rule with each format and each kind of value, and prints the grid. */
import { allCells, gridLines } from "../../packages/detect/test/rules/grid.ts";

/** Prints the grid, with `failed` also the cells that are read wrongly. Resolves to 0 if no cell is, else to 1. */
export function runRules(failed: boolean): number {
  const cells = allCells();
  for (const line of gridLines(cells)) console.log(line);
  const wrong = cells.filter(({ reason, problem }) => reason === undefined && problem !== undefined);
  for (const { rule, format, kind, text, problem } of failed ? wrong : []) {
    console.log(`wrong  ${rule} ${format} ${kind}: ${JSON.stringify(text)}\n    ${problem}`);
  }
  return wrong.length > 0 ? 1 : 0;
}
