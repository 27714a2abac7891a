/**
 * Checks our MCP server with the conformance suite of MCP. The server offers the tools that the scenarios of the suite
 * expect. Resolves to the counts of all revisions together.
 */
import { serveOverHttp } from "@localharness/mcp/server";
import { listen } from "@localharness/models/listen-door";
import type { Counts } from "./counts.ts";
import { revisions, runSuite } from "./run-suite.ts";
import { createExpectedServer } from "./server/create-server.ts";
import { expectedTools } from "./server/tools.ts";

export async function checkServer(): Promise<Counts> {
  const onError = (error: Error) => void process.stderr.write(`${error.message}\n`);
  const service = serveOverHttp(expectedTools, {
    version: "0.0.0",
    onError,
    createServer: createExpectedServer,
  });
  // The suite has no token, so every request is authorized.
  const listening = await listen({
    host: "127.0.0.1",
    port: 0,
    authorize: async () => true,
    onRequest: service.answer,
  });
  try {
    let passed = 0;
    let failed = 0;
    for (const revision of revisions) {
      const counts = await runSuite(["server", "--url", `http://127.0.0.1:${listening.port}/mcp`], revision);
      passed += counts.passed;
      failed += counts.failed;
    }
    return { passed, failed };
  } finally {
    await service.close();
    await listening.close();
  }
}
