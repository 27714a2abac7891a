/** The suite with MCP programs of other authors. `npm run conformance -- peers` starts it; `npm test` does not. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/real-peers/**/*.suite.ts"],
    globalSetup: ["test/build-program.ts"],
    setupFiles: ["test/remove-places.ts"],
    // Limits for what hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: "forks",
  },
});
