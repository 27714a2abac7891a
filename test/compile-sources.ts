/**
 * Compiles the sources that many child processes of the tests load, once for all of them. Without it each of twenty
 * processes that start at once compiles them.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

const packages = ["graph", "mcp", "server", "tools"];

export function setup({ config }: TestProject): void {
  const files = packages.map((name) => join(import.meta.dirname, "..", "packages", name, "src", "index.ts"));
  const load =
    "for (const file of process.argv.slice(1)) await import(require('node:url').pathToFileURL(file));";
  // A source that does not load is found by its tests.
  spawnSync(process.execPath, ["--input-type=commonjs", "-e", `(async () => { ${load} })()`, ...files], {
    env: { ...process.env, ...config.env },
    stdio: "ignore",
  });
}
