/**
 * Runs the suites of `test/real-engine`. With the argument `servers` it runs only the whole turns, on the server of
 * LLAMA_SERVER; else it runs all suites, on the installed engine. Further arguments go to vitest.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { engineMissing } from "../test/real-engine/load-engine.ts";

process.exitCode = runSuite(process.argv[2], process.argv.slice(3));

function runSuite(on: string | undefined, more: readonly string[]): number {
  const refusal = on === "servers" ? serverMissing(process.env["LLAMA_SERVER"]) : engineMissing();
  if (refusal !== undefined) {
    console.error(refusal);
    return 2;
  }
  const root = join(import.meta.dirname, "..");
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const { LLAMA_SERVER: server, ...rest } = process.env;
  // The suite `engine-server` tests the server around the installed engine.
  const files = on === "servers" ? ["turns.suite.ts"] : [];
  const { status } = spawnSync(
    process.execPath,
    [vitest, "run", "--config", join(root, "vitest.real-engine.config.ts"), ...files, ...more],
    { cwd: root, stdio: "inherit", env: on === "servers" ? { ...rest, LLAMA_SERVER: server } : rest },
  );
  return status ?? 1;
}

function serverMissing(path: string | undefined): string | undefined {
  const wanted = "Expected LLAMA_SERVER to be the path of llama.cpp's server:";
  const example = "LLAMA_SERVER=/path/to/llama-server npm run real-servers";
  if (path === undefined || path === "") return `${wanted} it is not set.\nRun: ${example}`;
  try {
    accessSync(path, constants.X_OK);
    return undefined;
  } catch {
    return `${wanted} ${path} is not an executable program.\nRun: ${example}`;
  }
}
