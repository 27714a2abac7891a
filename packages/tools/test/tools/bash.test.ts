import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Bench, openBench, said } from "../bench.ts";

describe("bash", () => {
  test.each([
    ["echo hi", "hi\nexit code: 0"],
    ["printf hi", "hi\nexit code: 0"],
    ["true", "exit code: 0"],
    ["echo out; echo err >&2; exit 3", "out\nerr\nexit code: 3"],
    ["kill -9 $$", "killed by SIGKILL"],
    ["printf 'a\\303'; sleep 0.05; printf '\\251b'", "aéb\nexit code: 0"],
    ["no-such-program", "/bin/bash: line 1: no-such-program: command not found\nexit code: 127"],
    ['echo "$LOCALHARNESS_SECRET|$TERM"', "|dumb\nexit code: 0"],
    ["cat", "exit code: 0"],
    ["-x", "/bin/bash: line 1: -x: command not found\nexit code: 127"],
  ])("%s gives %j", async (command, data) => {
    const bench = await openBench({ environment: { ...process.env, LOCALHARNESS_SECRET: "x" } });
    expect(await bench.call("bash", { command })).toMatchObject({ ok: true, data });
  });

  test("runs in the workspace", async () => {
    const bench = await openBench();
    expect(said(await bench.call("bash", { command: "pwd; echo $PWD" }))).toBe(
      `${bench.root}\n${bench.root}\nexit code: 0`,
    );
  });

  test("keeps a long output whole in a file that read_file reads", async () => {
    const bench = await openBench({ resultLimit: () => 400 });
    const text = said(await bench.call("bash", { command: "seq 1 5000; exit 1" }));
    expect(text).toMatch(/^1\n2\n/);
    expect(text).toMatch(
      /5000\n\[23893 bytes; the whole output is in \S+: read_file reads it by offset and limit\]\nexit code: 1$/,
    );
    const path = /is in (\S+):/.exec(text)?.[1] ?? "";
    expect(readFileSync(path, "utf8").split("\n")).toHaveLength(5001);
    expect(said(await bench.call("read_file", { path, offset: 2500, limit: 1 }))).toBe(
      "2500: 2500\n[showing 2500-2500 of 5000, continue with offset=2501]",
    );
    expect(await bench.call("read_file", { path: `${path}x` })).toMatchObject({
      errorType: "validation_failed",
    });
  });

  test("100 MB on one line cost little memory", async () => {
    const bench = await openBench();
    const before = process.memoryUsage().rss;
    const text = said(await bench.call("bash", { command: "head -c 104857600 /dev/zero | tr '\\0' a" }));
    expect(text.length).toBeLessThan(20_000);
    // The limit includes buffers that wait for garbage collection.
    expect(process.memoryUsage().rss - before).toBeLessThan(90 * 1024 * 1024);
  });

  test.each([
    [{ timeout: 0.3 }, "0.3 s"],
    [{ timeout: 1000 }, "1 s"],
    [{ timeout_ms: 400 }, "0.4 s"],
  ])("ends at the time limit %j with what it got", async (limit, seconds) => {
    const bench = await openBench();
    // The fake clock reaches the limit only once the command has begun, however long that takes.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const call = bench.call("bash", { command: "echo begun; touch begun; sleep 600", ...limit });
    await expect.poll(() => existsSync(join(bench.root, "begun"))).toBe(true);
    vi.advanceTimersByTime(1_000);
    const output = await call;
    expect(output).toMatchObject({ ok: false, errorType: "timeout", data: "begun" });
    expect(said(output)).toContain(`longer than ${seconds}`);
  });

  test("ends when the person interrupts, and keeps what it got", async () => {
    const bench = await openBench();
    const person = new AbortController();
    const call = bench.call("bash", { command: "echo begun; touch begun; sleep 600" }, person.signal);
    await expect.poll(() => existsSync(join(bench.root, "begun"))).toBe(true);
    person.abort();
    const output = await call;
    expect(output).toMatchObject({ ok: false, errorType: "cancelled", data: "begun" });
  });

  test("ends with the notes about what it did until then", async () => {
    const bench = await openBench();
    bench.write(".env", "API_KEY=a1b2c3d4e5f6\n");
    const person = new AbortController();
    const call = bench.call("bash", { command: "grep -r . .; touch begun; sleep 600" }, person.signal);
    await expect.poll(() => existsSync(join(bench.root, "begun"))).toBe(true);
    person.abort();
    const output = await call;
    expect(output).toMatchObject({ errorType: "cancelled", data: expect.not.stringContaining("a1b2c3d4") });
    expect(output.notes).toEqual([expect.stringMatching(/^1 value of secrets in \.env was hidden/)]);
  });

  test("says that background processes ended with the command", async () => {
    const bench = await openBench();
    const output = await bench.call("bash", { command: "sleep 60 & echo started" });
    expect(output).toMatchObject({ ok: true, data: "started\nexit code: 0" });
    expect(output.notes).toEqual(["1 background process of the command still ran and was ended with it"]);
  });

  test.each([
    [{ command: " " }, "validation_failed"],
    [{ command: "echo \0" }, "validation_failed"],
    [{ command: "true", timeout: -1 }, "validation_failed"],
    [{ command: "true", timeout: 0 }, "validation_failed"],
    [{ command: "true", timeout_ms: -1 }, "validation_failed"],
    [{ command: "sudo rm -rf /" }, "permission_denied"],
    [{ command: `echo ${"x".repeat(3_000_000)}` }, "validation_failed"],
  ])("refuses %.60j", async (args, errorType) => {
    const bench = await openBench();
    expect(await bench.call("bash", args)).toMatchObject({ ok: false, errorType });
  });

  test("a deleted workspace is an error, not a crash", async () => {
    const bench = await openBench();
    await bench.call("bash", { command: 'rm -rf "$PWD"' });
    rmSync(bench.root, { recursive: true, force: true });
    const output = await bench.call("bash", { command: "echo still here; ls" });
    expect(said(output)).toContain("still here");
  });

  test("reports progress while it runs", async () => {
    const bench = await openBench();
    await bench.call("bash", { command: "for i in 1 2 3 4; do echo step $i; sleep 0.15; done" });
    expect(bench.reports.length).toBeGreaterThan(0);
    expect(bench.reports[0]).toMatch(/^step \d$/);
  });

  test("tells of passed tests", async () => {
    const bench = await openBench();
    bench.write("ok.test.mjs", 'import test from "node:test"; test("x", () => {});');
    const passed = await bench.call("bash", { command: "node --test" });
    expect(passed).toMatchObject({ ok: true, achieved: [{ kind: "tests-passed", subject: "node --test" }] });
    expect(await bench.call("bash", { command: "false && node --test" })).toMatchObject({ achieved: [] });
  });
});

describe("bash in another folder", () => {
  test.each<[string, string]>([
    ["cwd", "sub"],
    ["workdir", "./sub/"],
    ["working_directory", "sub/../sub"],
  ])("%s %s", async (name, folder) => {
    const bench = await openBench();
    bench.write("sub/a", "");
    expect(said(await bench.call("bash", { command: "pwd; ls", [name]: folder }))).toBe(
      `${bench.root}/sub\na\nexit code: 0`,
    );
  });

  test.each<[string, string]>([
    ["/tmp", "validation_failed"],
    ["..", "validation_failed"],
    ["link", "validation_failed"],
    ["missing", "not_found"],
    ["file", "io_error"],
  ])("refuses %s", async (cwd, errorType) => {
    const bench = await openBench();
    symlinkSync(bench.outside, join(bench.root, "link"));
    bench.write("file", "");
    expect(await bench.call("bash", { command: "cat secret.txt", cwd })).toMatchObject({ errorType });
    expect(await bench.examine("bash", { command: "cat secret.txt", cwd })).toMatchObject({
      concerns: [{ id: "command", decision: "deny" }],
    });
  });
});

describe("git in a command", () => {
  /** Creates a repository with a change, and a program that leaves a mark. */
  async function repository(): Promise<Bench> {
    const bench = await openBench();
    bench.write("mark.sh", "#!/bin/sh\ntouch MARK\ncat\n");
    chmodSync(join(bench.root, "mark.sh"), 0o755);
    bench.write("a", "one\n");
    const setup =
      "git init -q . && git config user.name n && git config user.email e && git add . && git commit -qm x && echo two >> a";
    await bench.call("bash", { command: setup });
    return bench;
  }
  const marked = (bench: Bench) => existsSync(join(bench.root, "MARK"));
  const looking = { examined: { readOnly: true } };

  test.each<[string, string]>([
    ["git config core.fsmonitor ./mark.sh", "git status"],
    ["git config diff.external ./mark.sh", "git diff | grep '^+two'"],
    ["echo 'a diff=x' > .gitattributes; git config diff.x.textconv ./mark.sh", "git diff | grep '^+two'"],
    ["echo 'a diff=x' > .gitattributes; git config diff.x.command ./mark.sh", "git diff | grep '^+two'"],
    ["git config core.pager ./mark.sh; git config pager.log ./mark.sh", "git log"],
  ])("%s starts nothing, also when the command was allowed", async (configure, command) => {
    const bench = await repository();
    await bench.call("bash", { command: configure });
    expect(said(await bench.call("bash", { command }))).toMatch(/exit code: 0$/);
    expect(marked(bench)).toBe(false);
  });

  test("a hook runs in a command that was allowed, and not in one that only looks", async () => {
    const bench = await repository();
    const configure = "cp mark.sh .git/hooks/post-index-change; cp mark.sh .git/hooks/pre-commit";
    await bench.call("bash", { command: `${configure}; rm -f MARK` });
    await bench.call("bash", { command: "touch -d 2001-01-01 a; git status" }, looking);
    expect(marked(bench)).toBe(false);
    await bench.call("bash", { command: "git commit -qam y" });
    expect(marked(bench)).toBe(true);
  });

  test("a filter that a repository names does not run when a command only looks", async () => {
    const bench = await repository();
    const configure =
      "echo 'a filter=x' > .gitattributes; git config filter.x.clean ./mark.sh; git config filter.x.required true";
    await bench.call("bash", { command: `${configure}; rm -f MARK; touch -d 2001-01-01 a` });
    await bench.call("bash", { command: "git diff" }, looking);
    expect(marked(bench)).toBe(false);
  });

  test("what a repository inside the repository configures does not run when a command only looks", async () => {
    const bench = await repository();
    const nested =
      "git init -q sub; cd sub; echo 1 > f; echo 'f filter=x' > .gitattributes; git add .; git -c user.name=n -c user.email=e commit -qm s";
    const linked =
      "cd ..; git add sub 2>/dev/null; git commit -qm m; cd sub; echo 2 > f; touch -d 2001-01-01 f";
    const configure = "git config filter.x.clean '../mark.sh'; rm -f MARK ../MARK";
    await bench.call("bash", { command: `${nested}; ${linked}; ${configure}` });
    await bench.call("bash", { command: "git status; git diff" }, looking);
    expect(existsSync(join(bench.root, "sub/MARK"))).toBe(false);
    await bench.call("bash", { command: "git status" });
    expect(existsSync(join(bench.root, "sub/MARK"))).toBe(true);
  });

  test("a bare repository in the workspace is not used by git", async () => {
    const bench = await repository();
    await bench.call("bash", { command: "mkdir b; cd b; git init -q --bare ." });
    expect(said(await bench.call("bash", { command: "cd b; git status" }))).toContain("safe.bareRepository");
  });
});
