/** Runs the conformance suite of MCP as a child process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Counts, countScenarios, summaryOf } from "./counts.ts";

const suite = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** The revisions of the protocol whose required scenarios are run. */
export const revisions = ["2025-11-25", "2026-07-28"] as const;

/** The longest time of one run, in milliseconds. */
const maxMs = 10 * 60_000;

/**
 * Runs the scenarios that a revision requires with these words of the command line, and prints the suite's summary. A run that the
 * suite itself calls failed, without a failed scenario, counts as one failure.
 */
export async function runSuite(
  words: readonly string[],
  revision: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Counts> {
  const results = mkdtempSync(join(tmpdir(), "lh-conformance-results-"));
  const args = [suite, ...words, "--requirements", revision, "-o", results];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
    timeout: maxMs,
    killSignal: "SIGKILL",
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    output += piece;
  });
  const [code] = await once(child, "close");
  rmSync(results, { recursive: true, force: true });
  const counts = countScenarios(output);
  process.stdout.write(`${words[0]} ${revision}:${summaryOf(output)}\n`);
  return code === 0 || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}
