/** Checks the MCP client: the suite starts the real program for each scenario. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildProgram } from "../corpus/attacks/program.ts";
import type { Counts } from "./counts.ts";
import { revisions, runSuite } from "./run-suite.ts";

/**
 * The time limit of each scenario in milliseconds. It is long, because the suite starts all scenarios at once.
 */
const scenarioMs = 240_000;

export async function checkClient(): Promise<Counts> {
  using program = await buildProgram();
  const command = `${process.execPath} ${join(import.meta.dirname, "client.ts")}`;
  let passed = 0;
  let failed = 0;
  for (const revision of revisions) {
    const words = ["client", "--command", command, "--timeout", String(scenarioMs)];
    const turns = mkdtempSync(join(tmpdir(), "lh-conformance-turns-"));
    const environment = { CONFORMANCE_PROGRAM: program.start, CONFORMANCE_TURNS: turns };
    const counts = await runSuite(words, revision, environment);
    rmSync(turns, { recursive: true, force: true });
    passed += counts.passed;
    failed += counts.failed;
  }
  return { passed, failed };
}
