import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { treeMembers } from "../../src/processes/process-tree.ts";
import { createPrograms, type ProgramRequest } from "../../src/processes/programs.ts";
import { temporaryFolder } from "../bench.ts";

function run(script: string, more: Partial<ProgramRequest> = {}) {
  const programs = createPrograms({ environment: process.env, pass: [] });
  onTestFinished(() => programs.close());
  const chunks: Buffer[] = [];
  const result = programs.run({
    program: "/bin/bash",
    args: ["-c", script],
    cwd: temporaryFolder(),
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    onOutput: (chunk) => chunks.push(chunk),
    ...more,
  });
  return { programs, result, output: () => Buffer.concat(chunks).toString() };
}

/** Ids that a script has printed, one a line, as far as such processes still run. */
function living(output: string): number[] {
  return output
    .split("\n")
    .filter((line) => /^\d+$/.test(line))
    .map(Number)
    .filter((pid) => {
      try {
        return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
      } catch {
        return false;
      }
    });
}

describe("running a program", () => {
  test.each([
    ["exit 0", { kind: "exited", code: 0 }],
    ["exit 3", { kind: "exited", code: 3 }],
    ["kill -9 $$", { kind: "killed", signal: "SIGKILL" }],
    ["kill -TERM $$", { kind: "killed", signal: "SIGTERM" }],
  ])("%s ends as %o", async (script, end) => {
    expect(await run(script).result).toMatchObject({ end, leftRunning: 0 });
  });

  test("says why it could not be started", async () => {
    expect((await run("", { program: "/no/such/program" }).result).end).toEqual({
      kind: "not-started",
      code: "ENOENT",
    });
    expect((await run("true", { cwd: "/no/such/folder" }).result).end).toEqual({
      kind: "not-started",
      code: "ENOENT",
    });
    const long = await run("true", { args: ["-c", "true", "x".repeat(4_000_000)] }).result;
    expect(long.end).toEqual({ kind: "not-started", code: "E2BIG" });
  });

  test("gives no input and no terminal", async () => {
    const { result, output } = run("cat; read -r x </dev/tty; echo got:$x; tty");
    expect((await result).end).toMatchObject({ kind: "exited" });
    expect(output()).toContain("not a tty");
  });

  test("does not start when it is cancelled before", async () => {
    const { result, output } = run("echo ran", { signal: AbortSignal.abort() });
    expect((await result).end).toEqual({ kind: "cancelled" });
    expect(output()).toBe("");
  });
});

describe.runIf(process.platform === "linux")("the whole tree ends", () => {
  const tree =
    "sleep 71 & echo $!; setsid sleep 72 & echo $!; (setsid sh -c 'echo $$; sleep 73' &); sleep 0.15;";

  test.each([
    ["at the time limit", "sleep 74", { timeoutMs: 300 }, "timeout", 1500],
    [
      "when a child does not listen to SIGTERM",
      "trap '' TERM; sleep 74; sleep 75",
      { timeoutMs: 300 },
      "timeout",
      2300,
    ],
    ["when it is cancelled", "sleep 74", { signal: AbortSignal.timeout(300) }, "cancelled", 1500],
    ["with the program", "true", {}, "exited", 1500],
  ])("%s", async (_, last, more, kind, withinMs) => {
    const started = performance.now();
    const { result, output } = run(
      `${tree} ${last}`,
      "signal" in more ? { signal: AbortSignal.timeout(300) } : more,
    );
    const { end, leftRunning } = await result;
    expect(end.kind).toBe(kind);
    expect(performance.now() - started).toBeLessThan(withinMs);
    expect(output().trim().split("\n")).toHaveLength(3);
    expect(living(output())).toEqual([]);
    expect(leftRunning > 0).toBe(kind === "exited");
  });

  test("when all are told to, and others can be started after", async () => {
    const { programs, result, output } = run(`${tree} sleep 74`);
    await new Promise((resolve) => setTimeout(resolve, 250));
    await programs.endAll();
    expect((await result).end).toEqual({ kind: "cancelled" });
    expect(living(output())).toEqual([]);
    const next = {
      program: "true",
      args: [],
      cwd: "/",
      timeoutMs: 1000,
      signal: new AbortController().signal,
    };
    expect((await programs.run({ ...next, onOutput: () => {} })).end).toEqual({ kind: "exited", code: 0 });
  });

  test("and nobody else is taken for a part of it", () => {
    expect(treeMembers({ pid: 2 ** 30, mark: "none" })).toEqual([]);
  });
});

test("a pipe that a child holds open does not hold up the result", async () => {
  const started = performance.now();
  const { result, output } = run("(sleep 76 &); echo done");
  expect((await result).end).toEqual({ kind: "exited", code: 0 });
  expect(output()).toBe("done\n");
  expect(performance.now() - started).toBeLessThan(1500);
});

test("a time limit beyond what timers hold does not fire at once", async () => {
  expect((await run("sleep 0.1; exit 4", { timeoutMs: 999_999_999_000 }).result).end).toEqual({
    kind: "exited",
    code: 4,
  });
});
