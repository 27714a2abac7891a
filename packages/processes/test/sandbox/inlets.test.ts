import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { openInlets, sweepInlets } from "../../src/sandbox/inlets.ts";

test.skipIf(process.platform !== "linux")(
  "the sockets of an inlet lead to its server, and are removed at the end",
  async () => {
    const state = join(temporaryFolder(), "a".repeat(100), "state");
    const inlet = { port: 4873, serve: (client: { end(text: string): void }) => client.end("served") };
    const { folder, script, close } = await openInlets(
      state,
      { inlets: [inlet], bridge: undefined },
      "/usr/bin/socat",
    );
    expect(script).toContain("TCP6-LISTEN:4873");
    // The address of a socket has at most 107 bytes.
    const directory = openSync(folder, "r");
    const text = await new Promise<string>((resolve) => {
      const socket = connect(`/proc/self/fd/${directory}/4873`);
      let all = "";
      socket.on("data", (chunk) => {
        all += chunk;
      });
      socket.on("close", () => resolve(all));
    });
    closeSync(directory);
    expect(text).toBe("served");
    close();
    expect(existsSync(folder)).toBe(false);
  },
);

test("the folders of programs that were killed are removed, those of running ones stay", () => {
  const state = temporaryFolder();
  const [dead, alive, other] = ["999999999-abc", `${process.pid}-abc`, "notes"].map((name) =>
    join(state, "ports", name),
  );
  for (const path of [dead, alive, other]) mkdirSync(path ?? "", { recursive: true });
  sweepInlets(state);
  expect([dead, alive, other].map((path) => existsSync(path ?? ""))).toEqual([false, true, true]);
});
