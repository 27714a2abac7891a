/** Checks that a server whose entry asks for the sandbox runs in it. */
import { mkdtempSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { runServer } from "@localharness/processes/helpers/run-server";
import { openToolResources } from "@localharness/tools";
import { afterAll, expect, test } from "vitest";

const resources = await openToolResources({
  workspace: mkdtempSync(join(tmpdir(), "lh-mcp-ws-")),
  stateFolder: mkdtempSync(join(tmpdir(), "lh-mcp-state-")),
  sandbox: { mode: "auto" },
});
afterAll(() => resources.close());

test.skipIf(resources.sandbox.state.kind !== "on")(
  "a server in the sandbox answers, and cannot write elsewhere",
  async () => {
    let output = "";
    const stop = new AbortController();
    const place = join(homedir(), "lh-mcp-sandbox-probe");
    const script = `while read -r line; do echo "got $line"; (echo x > ${place}) 2>/dev/null && echo wrote; echo end; done`;
    const server = await runServer(resources, {
      ...{
        command: "sh",
        args: ["-c", script],
        environment: { GIVEN: "1" },
        sandboxed: true,
        signal: stop.signal,
      },
      onOutput(chunk) {
        output += Buffer.from(chunk).toString();
      },
      onErrorOutput: () => undefined,
    });
    await server.write("hello\n");
    await expect.poll(() => output).toBe("got hello\nend\n");
    stop.abort();
    expect(await server.ended).toBe("it was ended");
  },
);
