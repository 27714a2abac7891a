import { readFileSync } from "node:fs";
import { createPrograms } from "@localharness/processes/children/create-programs";
import { treeMembers } from "@localharness/processes/children/process-tree";
import type { ProgramRequest } from "@localharness/processes/children/programs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { hangMs } from "../../../../test/measures.ts";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";

function run(script: string, more: Partial<ProgramRequest> = {}) {
  const programs = createPrograms({ environment: process.env, pass: [] });
  onTestFinished(() => programs.close());
  const chunks: Buffer[] = [];
  const result = programs.run({
    program: "/bin/bash",
    args: ["-c", script],
    cwd: temporaryFolder(),
    timeoutMs: 3 * hangMs,
    signal: new AbortController().signal,
    onOutput: (chunk) => chunks.push(chunk),
    ...more,
  });
  return { programs, result, output: () => Buffer.concat(chunks).toString() };
}

/** Returns the process ids that a script has printed, one per line, of those that still run. */
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

  test.each([
    ["x".repeat(4_000_000), "E2BIG"],
    ["a\0b", "ERR_INVALID_ARG_VALUE"],
  ])("says why it could not be started in the terminal", async (word, code) => {
    const programs = createPrograms({ environment: process.env, pass: [] });
    onTestFinished(() => programs.close());
    const signal = new AbortController().signal;
    const request = { program: "/bin/true", args: [word], cwd: "/", environment: {}, signal };
    expect(await programs.runInTerminal(request)).toEqual({ kind: "not-started", code });
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
  const children = "sleep 71 & echo $!; setsid sleep 72 & echo $!;";
  const grandchild = "(setsid sh -c 'echo $$; : > begun; sleep 73' &);";
  const tree = `${children} ${grandchild} until [ -e begun ]; do sleep 0.01; done;`;
  const threeIds = (output: () => string) =>
    expect.poll(() => output().split("\n").filter(Boolean)).toHaveLength(3);

  test.each([
    ["at the time limit", "sleep 74", "timeout"],
    ["when a child does not listen to SIGTERM", "trap '' TERM; sleep 74; sleep 75", "timeout"],
    ["when it is cancelled", "sleep 74", "cancelled"],
    ["with the program", "true", "exited"],
  ])("%s", async (_, last, kind) => {
    // The fake clock reaches the time limit only once the whole tree runs, however long that takes.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const person = new AbortController();
    const { result, output } = run(`${tree} ${last}`, { timeoutMs: 10 * hangMs, signal: person.signal });
    await threeIds(output);
    if (kind === "timeout") vi.advanceTimersByTime(10 * hangMs);
    if (kind === "cancelled") person.abort();
    const started = performance.now();
    const { end, leftRunning } = await result;
    expect(end.kind).toBe(kind);
    expect(performance.now() - started).toBeLessThan(hangMs);
    expect(living(output())).toEqual([]);
    expect(leftRunning > 0).toBe(kind === "exited");
  });

  test("when all are told to, and others can be started after", async () => {
    const { programs, result, output } = run(`${tree} sleep 74`, { timeoutMs: 10 * hangMs });
    await threeIds(output);
    await programs.endAll();
    expect((await result).end).toEqual({ kind: "cancelled" });
    expect(living(output())).toEqual([]);
    const next = {
      program: "true",
      args: [],
      cwd: "/",
      timeoutMs: hangMs,
      signal: new AbortController().signal,
    };
    expect((await programs.run({ ...next, onOutput: () => {} })).end).toEqual({ kind: "exited", code: 0 });
  });

  test("and no other process counts as part of it", () => {
    expect(treeMembers({ pid: 2 ** 30, mark: "none" })).toEqual([]);
  });
});

test("a pipe that a child holds open does not hold up the result", async () => {
  const started = performance.now();
  const { result, output } = run("(sleep 76 &); echo done");
  expect((await result).end).toEqual({ kind: "exited", code: 0 });
  expect(output()).toBe("done\n");
  expect(performance.now() - started).toBeLessThan(hangMs);
});

test("a time limit beyond what timers hold does not fire at once", async () => {
  expect((await run("sleep 0.1; exit 4", { timeoutMs: 999_999_999_000 }).result).end).toEqual({
    kind: "exited",
    code: 4,
  });
});
