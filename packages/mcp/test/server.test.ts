/** The words about a request that one server, a real child process, did not answer. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
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

test.each([
  ["that npm cannot get is started once", "npm error code E404", 1],
  ["that npm cannot get over TLS is started once", "npm error code SELF_SIGNED_CERT_IN_CHAIN", 1],
  ["that ends at the handshake is started again as an older one", "Error: unknown method", 2],
  ["whose script npm reports as failed is started again too", "npm ERR! code ELIFECYCLE", 2],
])("a server %s", async (_, error, starts) => {
  const log = join(mkdtempSync(join(tmpdir(), "lh-starts-")), "starts");
  onTestFinished(() => rmSync(dirname(log), { recursive: true, force: true }));
  const script = `echo x >> "$1"; echo "$2" >&2; exit 1`;
  const { told } = await openPeers({ p: { command: "/bin/sh", args: ["-c", script, "sh", log, error] } });
  expect(told.join()).toContain("it ended with exit code 1");
  expect(readFileSync(log, "utf8")).toBe("x\n".repeat(starts));
});
