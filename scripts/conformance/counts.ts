/** Reads how many scenarios of a run of the conformance suite passed. */

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Counts the scenarios that the suite's summary lists, without those that it runs but does not score. A scenario with a
 * warning has failed, as in the suite.
 */
export function countScenarios(output: string): Counts {
  const [summary = "", notScored = ""] = summaryOf(output).split(/^Not scored for/m);
  const free = new Set([...notScored.matchAll(/^ {2}[✓✗] (\S+) \(/gm)].map(([, name = ""]) => name));
  const scenarios = [...summary.matchAll(/^([✓✗]) (\S+):/gm)].filter(([, , name = ""]) => !free.has(name));
  const failed = scenarios.filter(([, mark]) => mark === "✗").length;
  return { passed: scenarios.length - failed, failed };
}

/** Returns the summary at the end of a run, or the whole output if there is none. */
export function summaryOf(output: string): string {
  return output.split(/^=== (?:SUITE )?SUMMARY ===$/m).at(-1) ?? output;
}
