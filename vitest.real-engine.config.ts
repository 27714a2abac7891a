/** The suite on a real engine or a real server. `npm run real-engine` and `npm run real-servers` start it; `npm test` does not. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/real-engine/**/*.suite.ts"],
    globalSetup: ["test/build-program.ts"],
    setupFiles: ["test/remove-places.ts"],
    // Limits for what hangs. A prompt is read in seconds, by one thread.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: "forks",
    maxWorkers: 1,
    // The two servers of a family load at the same time.
    sequence: { hooks: "parallel" },
  },
});
