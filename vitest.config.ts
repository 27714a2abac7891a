/** The one test configuration: every package's `test` folder, the examples and the whole-program tests. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 20_000,
    pool: "forks",
    reporters: process.env["CI"] ? ["default"] : ["dot"],
  },
});
