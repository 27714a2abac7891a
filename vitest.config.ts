/** The one test configuration: `npm test` runs the first two projects, and `npm run test:slow` and `test:browser` the others. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { attachedTests, browserTests, slowFiles } from "./test/slow-tests.ts";

const notQuick = [...slowFiles(), ...browserTests];
const compile = "test/compile-sources.ts";
const built = { globalSetup: ["test/build-program.ts"], setupFiles: ["test/remove-places.ts"] };

/** Where Node keeps the compiled sources that child processes of the tests load: such a start costs a third with it. */
const compiled = join(import.meta.dirname, "node_modules", ".cache", "node");

/** More kills than usual take longer. */
const limitMs = process.env["LOCALHARNESS_KILLS"] === undefined ? 300_000 : 3_600_000;

export default defineConfig({
  test: {
    // Limits for what hangs, on a machine however busy: what is waited for comes in milliseconds.
    testTimeout: limitMs,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    env: { NODE_COMPILE_CACHE: compiled },
    pool: "forks",
    // One worker takes one file after the other: a worker for each file costs more than most files do.
    isolate: false,
    // One worker's garbage of hundreds of files makes each start of a process slow: it is collected at half as much again.
    execArgv: ["--heap-growing-percent=50"],
    // Tests of the whole program wait for it a third of their time: other files run then.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    reporters: process.env["CI"] ? ["default"] : ["dot"],
    projects: [
      {
        extends: true,
        test: {
          name: "packages",
          include: ["packages/*/test/**/*.test.ts"],
          exclude: notQuick,
          globalSetup: [compile],
        },
      },
      {
        extends: true,
        test: { name: "program", include: ["test/**/*.test.ts"], exclude: notQuick, ...built },
      },
      {
        extends: true,
        test: {
          ...built,
          name: "slow",
          include: slowFiles(process.env["LOCALHARNESS_THIRD"]),
          globalSetup: [compile, ...built.globalSetup],
        },
      },
      // A browser needs a processor for itself, so its tests run alone.
      { extends: true, test: { name: "browser", include: browserTests, maxWorkers: 1, ...built } },
      {
        extends: true,
        test: {
          name: "attached",
          include: attachedTests,
          env: { LOCALHARNESS_ATTACHED: "1" },
          ...built,
        },
      },
    ],
  },
});
