/** Formats the counts by model as a table for people. */
import type { LadderCounts } from "./ladder-counts.ts";
import type { ModelStats } from "./stats-file.ts";

const columns: readonly (readonly [title: string, key: keyof LadderCounts])[] = [
  ["native", "native"],
  ["repaired", "repaired"],
  ["from text", "fromText"],
  ["typed", "coerced"],
  ["corrected", "corrected"],
  ["dead ends", "deadEnds"],
];

/** Returns the lines of the table. Models with the most calls come first. */
export function statsTable(stats: readonly ModelStats[]): string[] {
  if (stats.length === 0) return ["No tool calls have been counted yet."];
  const names = stats.map((row) => `${row.provider}/${row.model}`);
  const width = Math.max("model".length, ...names.map((name) => name.length));
  const line = (name: string, cells: readonly (string | number)[]) =>
    [name.padEnd(width), ...cells.map((cell) => String(cell).padStart(9))].join("  ");
  return [
    line("model", ["calls", ...columns.map(([title]) => title)]),
    ...stats
      .toSorted((a, b) => callsOf(b.counts) - callsOf(a.counts))
      .map(({ provider, model, counts }) =>
        line(`${provider}/${model}`, [callsOf(counts), ...columns.map(([, key]) => counts[key])]),
      ),
    "",
    "native: ran as written. repaired: native, after a repair. from text: written as text. typed: arguments converted",
    "(also counted elsewhere). corrected: could not run, the model was told why. dead ends: turns that ended with one.",
  ];
}

/** Returns the number of calls that could be parsed. */
function callsOf(counts: LadderCounts): number {
  return counts.native + counts.repaired + counts.fromText;
}
