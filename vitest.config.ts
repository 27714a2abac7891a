/** The one test configuration: `npm test` runs the first two projects, and `npm run test:slow` and `test:browser` the others. */
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { attachedTests, slowTests } from "./test/slow-tests.ts";

const slow = slowTests.map(({ file }) => file);
// A browser needs a processor for itself, so its tests run alone.
const inBrowser = slowTests.flatMap(({ file, kind }) => (kind === "browser" ? [file] : []));
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
    // Vitest leaves one processor free by itself, which on a machine of two is half of it.
    maxWorkers: "100%",
    reporters: process.env["CI"] ? ["default"] : ["dot"],
    projects: [
      {
        extends: true,
        test: { name: "packages", include: ["packages/*/test/**/*.test.ts"], exclude: slow },
      },
      { extends: true, test: { name: "program", include: ["test/**/*.test.ts"], exclude: slow, ...built } },
      {
        extends: true,
        test: { name: "slow", include: slow.filter((file) => !inBrowser.includes(file)), ...built },
      },
      { extends: true, test: { name: "browser", include: inBrowser, maxWorkers: 1, ...built } },
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
