/** Several processes with commands in one folder share its placeholders, and one of them is killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate, setTimeout as wait } from "node:timers/promises";
import { sandboxState } from "@localharness/processes/sandbox/sandbox-status";
import { sweepStandIns } from "@localharness/processes/sandbox/stand-ins";
import { expect, onTestFinished, test } from "vitest";

const state = sandboxState("auto");
const missing = state.kind === "absent" ? ` (skipped: ${state.problem})` : "";
const isHere = state.kind === "on" && process.platform === "linux";

const holder = "../../../processes/test/sandbox/hold-placeholders.ts";

function place() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "lh-shared-")));
  const workspace = join(root, "ws");
  mkdirSync(workspace);
  return { workspace, stateFolder: join(root, "state") };
}

function run(program: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...args]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  const take = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const ended = once(child, "close").then(() => output);
  return {
    ended,
    kill: () => child.kill("SIGKILL"),
    started: () => Promise.race([once(child.stdout, "data"), ended]),
  };
}

async function exists(path: string): Promise<void> {
  while (!existsSync(path)) await wait(10);
}

test.skipIf(process.platform !== "linux")(
  "no placeholder is removed or replaced while a process holds it, even if others are killed",
  async () => {
    const { workspace, stateFolder } = place();
    const args = [workspace, stateFolder] as const;
    const killed = run(holder, ...args, "1000000");
    const others = [run(holder, ...args, "60"), run(holder, ...args, "60")];
    await Promise.all([killed, ...others].map((one) => one.started()));
    for (let turns = Math.random() * 200; turns > 0; turns -= 1) await setImmediate();
    killed.kill();
    const outputs = await Promise.all([killed.ended, ...others.map((one) => one.ended)]);
    expect(outputs.join("")).not.toContain("LOST");
    expect(outputs.slice(1).join("")).toMatch(/end \d+\n[\s\S]*end \d+\n/);
    sweepStandIns(stateFolder);
    expect(readdirSync(workspace)).toEqual([]);
    expect(readdirSync(join(stateFolder, "sandbox"))).toEqual([]);
  },
);

test.skipIf(!isHere)(
  `the names stay closed for a command while the commands of other sessions end or are killed${missing}`,
  async () => {
    const { workspace, stateFolder } = place();
    const attempt = "for f in .npmrc .envrc .gdbinit; do { echo x > $f; } 2>/dev/null && echo OPEN $f; done";
    const until = (ready: string, go: string) => `echo x > ${ready}; until [ -e ${go} ]; do sleep 0.02; done`;
    const inside = (command: string) => run("run-in-sandbox.ts", workspace, stateFolder, command);
    const first = inside(`${until("a", "go-a")}; ${attempt}; true`);
    await exists(join(workspace, "a"));
    const second = inside(`${until("b", "go-b")}; ${attempt}; true`);
    await exists(join(workspace, "b"));
    writeFileSync(join(workspace, "go-a"), "");
    expect(await first.ended).toBe("exit code: 0");
    const third = inside(`${until("c", "never")}; true`);
    await exists(join(workspace, "c"));
    third.kill();
    await third.ended;
    writeFileSync(join(workspace, "go-b"), "");
    expect(await second.ended).toBe("exit code: 0");
    sweepStandIns(stateFolder);
    expect(readdirSync(workspace).toSorted()).toEqual(["a", "b", "c", "go-a", "go-b"]);
  },
);
