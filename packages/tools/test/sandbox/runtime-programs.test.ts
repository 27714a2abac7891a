/** Checks that the sandbox runs no program of the workspace, and needs no `which`. */
import { exec, execSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { answerLookUps, runtimePrograms } from "@localharness/processes/sandbox/runtime-programs";
import { sandboxState } from "@localharness/processes/sandbox/sandbox-status";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";

const state = sandboxState("auto");
const path = process.env["PATH"] ?? "";

/** Creates programs that leave a file in `traces` and then end with the script. */
function plant(folder: string, names: readonly string[], traces: string, script: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    writeFileSync(join(folder, name), `#!/bin/sh\n: > '${join(traces, name)}'\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
}

function places() {
  const folder = temporaryFolder();
  const [workspace, traces] = [join(folder, "ws"), join(folder, "traces")];
  mkdirSync(workspace);
  mkdirSync(traces);
  return { folder, workspace, traces };
}

describe.skipIf(state.kind !== "on")("a command in the sandbox", () => {
  test("runs without programs of the workspace, and without waiting for which", async () => {
    const { folder, workspace, traces } = places();
    plant(
      join(workspace, "bin"),
      ["bwrap", "socat", "setpriv", "which", "rg", "bash", "sh"],
      traces,
      "exit 0",
    );
    plant(join(folder, "slow"), ["which"], traces, "sleep 20");
    const script = join(import.meta.dirname, "run-in-sandbox.ts");
    const child = spawn(process.execPath, [script, workspace, join(folder, "state"), "echo it runs"], {
      env: { ...process.env, PATH: `${join(workspace, "bin")}:${join(folder, "slow")}:${path}` },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (piece) => (output += String(piece)));
    await new Promise((resolve) => child.once("close", resolve));
    expect(output).toContain("it runs");
    expect(readdirSync(traces)).toEqual([]);
  });
});

test("programs of the workspace do not count", () => {
  const { folder, workspace, traces } = places();
  plant(join(workspace, "bin"), ["bwrap", "socat", "setpriv"], traces, "");
  mkdirSync(join(folder, "links"));
  symlinkSync(join(workspace, "bin/bwrap"), join(folder, "links/bwrap"));
  const planted = `${join(workspace, "bin")}:${join(folder, "links")}`;
  const options = {
    folders: [workspace],
    environment: { PATH: planted },
    platform: "linux",
    isRoot: true,
  } as const;
  expect(sandboxState("auto", options)).toMatchObject({
    kind: "absent",
    problem: expect.stringMatching(/^bwrap and socat and setpriv are not installed/),
  });
  expect(() => runtimePrograms([workspace], planted, "linux")).toThrow("bwrap is not installed outside");
  expect(runtimePrograms([workspace], planted, "darwin")).toBeUndefined();
});

test("which is answered for absolute paths, npm is not asked, and no other call changes", async () => {
  answerLookUps();
  expect(() => execSync("npm root -g")).toThrow("is not run");
  expect(() => exec("npm root -g")).toThrow("is not run");
  expect(String(execSync("echo npm root -g"))).toBe("npm root -g\n");
  expect(await promisify(exec)("echo it runs")).toEqual({ stdout: "it runs\n", stderr: "" });
  const which = (name: string) => {
    const { status, stdout } = spawnSync("which", [name], { encoding: "utf8" });
    return [status, stdout];
  };
  expect(which("/bin/sh")).toEqual([0, "/bin/sh\n"]);
  expect(which("/bin")).toEqual([1, ""]);
  expect(which("sh")).toEqual([1, ""]);
  expect(spawnSync("/bin/sh", ["-c", "echo $0 $1; exit 3", "a", "b"], { encoding: "utf8" })).toMatchObject({
    status: 3,
    stdout: "a b\n",
  });
});
