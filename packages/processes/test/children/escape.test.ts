/** Tests processes that try to escape, and what is left when the harness itself is killed. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { hangMs } from "../../../../test/measures.ts";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { openControlGroups } from "../../src/children/control-group.ts";
import { createPrograms } from "../../src/children/create-programs.ts";
import type { ProgramRequest } from "../../src/children/programs.ts";

const probe = process.platform === "linux" ? openControlGroups() : undefined;
probe?.close();

/** Starts a process in a new session, without our mark, whose parent becomes the system's first process. */
const runaway = "env -i /usr/bin/setsid /bin/sh -c '/bin/sleep 81 & echo $!; : > begun' &";
const hasRun = "until [ -e begun ]; do sleep 0.01; done;";

function programs() {
  const made = createPrograms({ environment: process.env, pass: [] });
  onTestFinished(async () => {
    await made.endAll();
    made.close();
  });
  return made;
}

function request(script: string, more: Partial<ProgramRequest> = {}): ProgramRequest {
  return {
    program: "/bin/bash",
    args: ["-c", script],
    cwd: temporaryFolder(),
    timeoutMs: 3 * hangMs,
    signal: new AbortController().signal,
    onOutput: () => {},
    ...more,
  };
}

function lives(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

function pids(output: string): number[] {
  return output
    .split("\n")
    .filter((line) => /^\d+$/.test(line))
    .map(Number);
}

async function goneWithin(ids: readonly number[], milliseconds: number): Promise<boolean> {
  const until = performance.now() + milliseconds;
  while (ids.some(lives) && performance.now() < until) {
    await wait(50);
  }
  return !ids.some(lives);
}

describe.runIf(probe !== undefined)("with control groups", () => {
  test.each([
    ["when the command is done", "true", "exited"],
    ["at the time limit", "sleep 80", "timeout"],
    ["when it is cancelled", "sleep 80", "cancelled"],
  ])("a child that has cut every tie ends %s", async (_, last, kind) => {
    // The fake clock reaches the time limit only once the child runs, however long that takes.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const person = new AbortController();
    let output = "";
    const onOutput = (chunk: Buffer) => {
      output += chunk.toString();
    };
    const own = { timeoutMs: 10 * hangMs, signal: person.signal, onOutput };
    const run = programs().run(request(`${runaway} ${hasRun} ${last}`, own));
    await expect.poll(() => pids(output)).toHaveLength(1);
    if (kind === "timeout") vi.advanceTimersByTime(10 * hangMs);
    if (kind === "cancelled") person.abort();
    expect((await run).end.kind).toBe(kind);
    expect(pids(output).filter(lives)).toEqual([]);
  });

  test("no group is left behind", async () => {
    const made = createPrograms({ environment: process.env, pass: [] });
    const chunks: Buffer[] = [];
    await made.run(
      request("sed -n 's/^0:://p' /proc/self/cgroup", { onOutput: (chunk) => chunks.push(chunk) }),
    );
    const group = Buffer.concat(chunks).toString().trim();
    expect(group).toContain("/localharness-");
    made.close();
    const mount = /^\S+ (\S+) cgroup2 /m.exec(readFileSync("/proc/self/mounts", "utf8"))?.[1] ?? "";
    expect(existsSync(join(mount, group))).toBe(false);
    expect(existsSync(join(mount, group, ".."))).toBe(false);
  });
});

describe.runIf(process.platform === "linux")("when this process is killed", () => {
  async function session(command: string): Promise<{ child: ChildProcess; ids: number[] }> {
    const fixture = new URL("../fixtures/running-session.ts", import.meta.url).pathname;
    const child = spawn(process.execPath, [fixture, temporaryFolder(), command], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ids: number[] = [];
    for await (const chunk of child.stdout ?? []) {
      ids.push(...pids(String(chunk)));
      if (ids.length >= 2) break;
    }
    return { child, ids };
  }

  test.each([["SIGKILL"], ["SIGTERM"], ["SIGHUP"]] as const)(
    "by %s, all it has started ends",
    async (signal) => {
      const tie = probe === undefined ? "setsid /bin/sleep 81 & echo $!;" : runaway;
      const { child, ids } = await session(`/bin/sleep 82 & echo $!; ${tie} sleep 83`);
      expect(ids).toHaveLength(2);
      expect(ids.filter(lives)).toEqual(ids);
      child.kill(signal);
      expect(await goneWithin(ids, hangMs)).toBe(true);
    },
  );
});

describe.runIf(process.platform === "linux")("files that this process inherited", () => {
  test.each([[7], [9], [23], [200]])("are not passed on as descriptor %i", async (descriptor) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "secret"), "OUTSIDE");
    const fixture = new URL("../fixtures/running-session.ts", import.meta.url).pathname;
    const look = `for f in /proc/self/fd/*; do readlink "$f"; done; cat <&${descriptor}`;
    const output = execFileSync(
      "/bin/bash",
      [
        "-c",
        `exec ${descriptor}<"$1"; shift; exec "$@"`,
        "bash",
        join(folder, "secret"),
        process.execPath,
        fixture,
        folder,
        look,
      ],
      { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
    );
    expect(output).not.toContain("secret");
    expect(output).not.toContain("OUTSIDE");
    expect(output).toContain("/dev/null");
  });

  test("are passed on by a program without this precaution", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "secret"), "OUTSIDE");
    const output = execFileSync(
      "/bin/bash",
      ["-c", 'exec 7<"$1"; cat /dev/null; bash -c "cat <&7"', "bash", join(folder, "secret")],
      {
        encoding: "utf8",
      },
    );
    expect(output).toBe("OUTSIDE");
  });
});
