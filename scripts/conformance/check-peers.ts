/** Runs the suite of `test/real-peers`, which drives this program with MCP programs of other authors. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installedPeers, peersSource } from "../../test/real-peers/installed-peers.ts";
import { installAside } from "../install-aside.ts";
import type { Counts } from "./counts.ts";

const root = join(import.meta.dirname, "..", "..");

/** Installs the peers unless they are installed. Resolves to the exit code. */
export function installPeers(): Promise<number> {
  const read = (name: string) => readFileSync(join(peersSource, name), "utf8");
  return installAside("the MCP peers", installedPeers, read("package.json"), read("package-lock.json"));
}

/**
 * Runs the tests with the peers, and returns how many passed and failed. `installed` resolves to the exit code of the
 * installation; if that is not 0, nothing runs and one failure is counted.
 */
export async function checkPeers(installed: Promise<number>): Promise<Counts> {
  if ((await installed) !== 0) return { passed: 0, failed: 1 };
  const folder = mkdtempSync(join(tmpdir(), "lh-peers-results-"));
  const report = join(folder, "report.json");
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const config = join(root, "vitest.real-peers.config.ts");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { status } = spawnSync(process.execPath, [vitest, "run", "--config", config, ...reporters], {
    cwd: root,
    stdio: "inherit",
  });
  try {
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(report, "utf8"));
    return { passed, failed: status === 0 ? failed : Math.max(1, failed) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
