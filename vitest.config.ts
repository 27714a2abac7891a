/** The one test configuration: every package's `test` folder, the examples and the whole-program tests. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 20_000,
    // A limit for what hangs; what is waited for comes in milliseconds.
    expect: { poll: { timeout: 10_000 } },
    pool: "forks",
    // Vitest leaves one processor free by itself, which on a machine of two is half of it.
    maxWorkers: "100%",
    // A few tests hold promises about time (an abort, a command's end, linear reading); a machine that is busy with
    // something else may miss one once. Elsewhere a test that fails is to be seen at once.
    retry: process.env["CI"] === undefined ? 0 : 2,
    reporters: process.env["CI"] ? ["default"] : ["dot"],
  },
});
