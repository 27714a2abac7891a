/** Measures what it costs to decide on a call: the rules, and the examination before them (see `policy/`). */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Benchmark } from "./benchmark.ts";
import { goalLine } from "./measure/figures.ts";
import { decisionRows } from "./policy/decision-rows.ts";

const goalUs = 1_000;

export const benchmark: Benchmark = {
  question: "What does it cost to decide whether a call may run?",
  async run({ print }) {
    print("A decision, with the rules just read (cold) and in use (warm); none of them matches:\n");
    const slowest = decisionRows(print);
    print(
      `\n${goalLine("warm p99 with 1,000 rules < 1 ms", `${slowest.toFixed(0)} µs`, slowest < goalUs)}\n`,
    );
    for (const rows of await otherRows()) await rows(print);
  },
};

type Rows = (print: (line: string) => void) => unknown;

/** Returns the functions whose names end in `Rows` from all files in `policy/` but `decision-rows.ts`. */
async function otherRows(): Promise<readonly Rows[]> {
  const folder = join(import.meta.dirname, "policy");
  const found: Rows[] = [];
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith(".ts") || file === "decision-rows.ts") continue;
    const module: Readonly<Record<string, unknown>> = await import(join(folder, file));
    for (const [name, rows] of Object.entries(module))
      if (name.endsWith("Rows") && typeof rows === "function") found.push(rows as Rows);
  }
  return found;
}
