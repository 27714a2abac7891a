/** The words about a request that one server, a real child process, did not answer. */
import { expect, test } from "vitest";
import type { ServerEntry } from "../src/config/index.ts";
import { anyResult } from "../src/connection/any-result.ts";
import { createServer } from "../src/servers/server.ts";
import { openPeers, peer } from "./open-peer.ts";

test("a request with a time limit of its own is said to have had that limit", async () => {
  const { parts } = await openPeers({ p: peer() });
  const server = createServer(parts.entries[0] as ServerEntry, parts);
  const params = { name: "silent" };
  const output = await server.run("the prompt x", async ({ client }) => {
    await client.request({ method: "tools/call", params }, anyResult, { timeout: 100 });
    return { ok: true, data: "" };
  });
  await server.close();
  expect(output).toMatchObject({
    errorType: "timeout",
    message: expect.stringContaining("did not answer the prompt x within 0.1 s, so"),
  });
});
