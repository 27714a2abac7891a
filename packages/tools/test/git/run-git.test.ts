import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runGit } from "@localharness/commands/git/run-git";
import { createOutputFolder } from "@localharness/processes/children/create-output-folder";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { type Bench, openBench, said } from "../bench.ts";

function git(bench: Bench, ...args: string[]): string {
  return execFileSync("git", args, { cwd: bench.root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

async function repository(): Promise<Bench> {
  const home = temporaryFolder();
  const bench = await openBench({ environment: { PATH: process.env["PATH"], HOME: home } });
  git(bench, "init", "-q", "-b", "trunk");
  git(bench, "config", "user.name", "Ann");
  git(bench, "config", "user.email", "ann@example.org");
  bench.write("a.txt", "one\n");
  return bench;
}

describe("the git tools", () => {
  test("go through status, commit, diff, log and branch", async () => {
    const bench = await repository();
    expect(said(await bench.call("git_status", {}))).toBe("?? a.txt\n");
    expect(await bench.call("git_log", {})).toMatchObject({ ok: false, errorType: "io_error" });
    const committed = await bench.call("git_commit_all", { message: "Begin\n\nwith a body" });
    const hash = git(bench, "rev-parse", "--short", "HEAD").trim();
    expect(committed).toMatchObject({ ok: true, achieved: [{ kind: "committed", subject: hash }] });
    expect(said(committed)).toContain(`Committed: ${hash} Begin`);
    expect(said(await bench.call("git_status", {}))).toBe("Nothing to commit, the working tree is clean.");
    expect(said(await bench.call("git_commit_all", { message: "again" }))).toContain("Nothing to commit");
    bench.write("a.txt", "two\n");
    bench.write("b c.txt", "new\n");
    expect(said(await bench.call("git_diff", {}))).toContain("-one\n+two\n");
    expect(said(await bench.call("git_diff", { path: "b c.txt" }))).toContain(
      "No changes that are not staged",
    );
    git(bench, "add", "b c.txt");
    expect(said(await bench.call("git_diff", { staged: true }))).toContain("+new");
    expect(said(await bench.call("git_log", { max_count: 5 }))).toMatch(
      new RegExp(`^${hash} \\S+ \\S+ \\S+ Ann: Begin\n$`),
    );
    expect(said(await bench.call("git_current_branch", {}))).toBe("trunk");
    git(bench, "checkout", "-q", "--detach");
    expect(said(await bench.call("git_current_branch", {}))).toBe(`No branch (detached at ${hash}).`);
    expect(git(bench, "log", "-1", "--format=%B").trim()).toBe("Begin\n\nwith a body");
  });

  test("shows the diff and log of a deleted file", async () => {
    const bench = await repository();
    await bench.call("git_commit_all", { message: "x" });
    renameSync(join(bench.root, "a.txt"), join(bench.root, "b.txt"));
    expect(said(await bench.call("git_diff", { path: "a.txt" }))).toContain("deleted file");
    expect(said(await bench.call("git_log", { path: "a.txt" }))).toContain("Ann: x");
  });

  test("say so when a long output could not be kept", async () => {
    const bench = await repository();
    git(bench, "add", ".");
    bench.write("a.txt", "x".repeat(50_000));
    const outputs = createOutputFolder("/dev/null/nowhere");
    const context = { callId: "", signal: new AbortController().signal, report: () => {} };
    expect(await runGit({ ...bench.resources, outputs }, context, ["diff", "--no-ext-diff"])).toEqual({
      ok: true,
      value: expect.stringMatching(
        /\n\[the whole output could not be kept: the disk is full or not writable\]$/,
      ),
    });
  });

  test.each([
    ["git_diff", { path: "../outside" }],
    ["git_log", { path: "/etc" }],
  ])("%s refuses %j", async (name, args) => {
    const bench = await repository();
    expect(await bench.call(name, args)).toMatchObject({ ok: false, errorType: "validation_failed" });
  });

  test("a path that looks like an option or a pattern is a literal path", async () => {
    const bench = await repository();
    bench.write("--output=pwned", "one\n");
    await bench.call("git_commit_all", { message: "x" });
    bench.write("--output=pwned", "two\n");
    expect(said(await bench.call("git_diff", { path: "--output=pwned" }))).toContain("+two");
    expect(said(await bench.call("git_diff", { path: ":(top)*" }))).toContain("No changes");
    expect(await bench.call("git_commit_all", { message: "--amend" })).toMatchObject({ ok: true });
    expect(git(bench, "log", "--format=%s")).toBe("--amend\nx\n");
  });

  test("a diff leaves out secrets and what a rule denies, unless the secret is named", async () => {
    const bench = await repository();
    const files = [".env", "sub/key.pem", "private/notes.txt", "b.txt"];
    for (const path of files) {
      bench.write(path, "before\n");
    }
    await bench.call("git_commit_all", { message: "x" });
    for (const path of files) {
      bench.write(path, `after ${path}\n`);
    }
    const denies = (path: string) => path.startsWith("private/");
    const diff = await bench.call("git_diff", {}, { denies });
    expect(said(diff).match(/after .*/g)).toEqual(["after b.txt"]);
    expect(diff).toMatchObject({ notes: ["changed, but not shown: .env, private/notes.txt, sub/key.pem"] });
    expect(said(await bench.call("git_diff", { path: ".env" }, { denies }))).toContain("after .env");
    expect(said(await bench.call("git_diff", { path: "private" }, { denies }))).toContain("No changes");
    git(bench, "add", "-A");
    const staged = await bench.call("git_diff", { staged: true }, { denies });
    expect(said(staged).match(/after .*/g)).toEqual(["after b.txt"]);
  });

  test("says that it does not know who commits", async () => {
    const bench = await repository();
    git(bench, "config", "--unset", "user.email");
    git(bench, "config", "user.useConfigOnly", "true");
    const output = await bench.call("git_commit_all", { message: "x" });
    expect(output).toMatchObject({ ok: false, errorType: "io_error" });
    expect(said(output)).toContain('git config user.email "..."');
  });

  test("says that another git process holds the lock", async () => {
    const bench = await repository();
    bench.write(".git/index.lock", "");
    expect(said(await bench.call("git_commit_all", { message: "x" }))).toContain(".git/index.lock");
  });

  test.each([
    ["no repository", () => {}, "not_found", "not a git repository"],
    [
      "a folder within one",
      (bench: Bench) => mkdirSync(join(bench.root, "../.git")),
      "not_found",
      "not the root",
    ],
    [
      "a link",
      (bench: Bench) => symlinkSync(bench.outside, join(bench.root, ".git")),
      "validation_failed",
      "link",
    ],
    [
      "a file that names another",
      (bench: Bench) => bench.write(".git", `gitdir: ${bench.outside}\n`),
      "validation_failed",
      "elsewhere",
    ],
    [
      "a file that names a folder in which a pipe waits",
      (bench: Bench) => {
        bench.write(".git", "gitdir: evil\n");
        mkdirSync(join(bench.root, "evil"));
        execFileSync("mkfifo", [join(bench.root, "evil/gitdir")]);
      },
      "validation_failed",
      "elsewhere",
    ],
    [
      "one that takes its settings from elsewhere",
      (bench: Bench) => bench.write(".git/commondir", `${bench.outside}\n`),
      "validation_failed",
      "commondir",
    ],
    [
      "one that takes its objects from elsewhere",
      (bench: Bench) => bench.write(".git/objects/info/alternates", `${bench.outside}\n`),
      "validation_failed",
      "alternates",
    ],
    [
      "one with a link for a part",
      (bench: Bench) => {
        mkdirSync(join(bench.root, ".git"));
        symlinkSync(bench.outside, join(bench.root, ".git/objects"));
      },
      "validation_failed",
      "objects",
    ],
  ])("refuses %s", async (_, prepare, errorType, message) => {
    const bench = await openBench();
    prepare(bench);
    for (const [name, args] of [
      ["git_status", {}],
      ["git_commit_all", { message: "x" }],
    ] as const) {
      const output = await bench.call(name, args);
      expect(output).toMatchObject({ ok: false, errorType });
      expect(said(output)).toContain(message);
    }
  });

  test("work in a linked worktree", async () => {
    const bench = await repository();
    await bench.call("git_commit_all", { message: "x" });
    const linked = join(temporaryFolder(), "linked");
    git(bench, "worktree", "add", "-q", linked);
    const other = await openBench({
      workspace: linked,
      environment: { PATH: process.env["PATH"], HOME: bench.outside },
    });
    expect(said(await other.call("git_current_branch", {}))).toBe("linked");
  });
});

describe("no program of the repository runs", () => {
  const touch = (bench: Bench) => `touch ${join(bench.outside, "PWNED")}`;

  test.each([
    ["core.fsmonitor"],
    ["core.pager"],
    ["diff.external"],
    ["diff.evil.command"],
    ["diff.evil.textconv"],
    ["filter.evil.clean"],
    ["filter.evil.process"],
    ["filter.ev=il.clean"],
    ["core.sshCommand"],
    ["gpg.program"],
    ["core.editor"],
  ])("%s", async (key) => {
    const bench = await repository();
    bench.write(".gitattributes", "* diff=evil filter=evil\n");
    if (key.includes("=")) {
      bench.write(".gitattributes", '* filter="ev=il"\n');
    }
    git(bench, "add", "-A");
    git(bench, "commit", "-qm", "x");
    const script = join(bench.outside, "evil.sh");
    writeFileSync(script, `#!/bin/sh\n${touch(bench)}\ncat\n`, { mode: 0o755 });
    git(bench, "config", key, script);
    git(bench, "config", "commit.gpgSign", key === "gpg.program" ? "true" : "false");
    writeFileSync(join(bench.root, ".git/hooks/pre-commit"), `#!/bin/sh\n${touch(bench)}\n`, { mode: 0o755 });
    writeFileSync(join(bench.root, ".git/hooks/post-index-change"), `#!/bin/sh\n${touch(bench)}\n`, {
      mode: 0o755,
    });
    bench.write("a.txt", "two\n");
    for (const name of ["git_status", "git_diff", "git_log", "git_current_branch"]) {
      expect(await bench.call(name, {})).toMatchObject({ ok: true });
    }
    const committed = await bench.call("git_commit_all", { message: "y" });
    expect(committed).toMatchObject(
      key.startsWith("filter.")
        ? { ok: false, errorType: "permission_denied" }
        : { ok: key !== "gpg.program" },
    );
    expect(existsSync(join(bench.outside, "PWNED"))).toBe(false);
  });

  test("without the precautions the same repository runs them", async () => {
    const bench = await repository();
    git(bench, "config", "core.fsmonitor", `${touch(bench)};`);
    git(bench, "status");
    expect(existsSync(join(bench.outside, "PWNED"))).toBe(true);
  });
});
