import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createReader } from "@localharness/commands/shell/reader";
import { describe, expect, test } from "vitest";
import { openBench, writeRepository } from "../bench.ts";
import { concernsOf, examinedIn, factsOf, prepared } from "./examined.ts";

test.each([
  "ls -la",
  "cat a.txt",
  "cat sub/b.txt | grep y",
  "git status",
  "git log --oneline",
  "cat not-there",
  "pwd; ls sub",
])("%s only looks", async (text) => {
  const facts = await factsOf(await prepared(), text);
  expect(facts).toMatchObject({ risk: "low", readOnly: true, concerns: [], rememberable: true });
  expect(facts.kind?.covers).toContain("only reads");
});

test.each([
  ["pnpm --filter web build", 'runs the script "build" of package.json'],
  ["npm -w pkg test", 'runs the script "test" of package.json'],
  ["npm run --silent test -- --x y", 'runs the script "test" of package.json'],
  ["yarn --cwd app deploy", 'runs the script "deploy" of package.json'],
  ["yarn workspace app deploy", 'runs the script "deploy" of package.json'],
  ["yarn workspaces run deploy", 'runs the script "deploy" of package.json'],
  ["pnpm --foo a --bar b", "runs a script of package.json"],
  ["npm run --ignore-scripts deploy safe", "runs a script of package.json"],
  ["node --run build -- a b", 'runs the script "build" of package.json'],
  ["pnpm --foo a b", "runs a script of package.json"],
  ["npm test -- --x y", 'runs the script "test" of package.json'],
  ["bun --bun run build", 'runs the script "build" of package.json'],
  ["pnpm -r --if-present test a", 'runs the script "test" of package.json'],
  ["npm run --prefix=app test a", 'runs the script "test" of package.json'],
  ["bash -euo pipefail", "runs program text"],
  ["bash -euo pipefail x.sh", 'runs "x.sh"'],
  ["bash -c 'ls'", "runs program text"],
  ["python3 - a", "runs program text"],
  ["npm run ls", 'runs the script "ls" of package.json'],
  ["yarn ls", 'runs the script "ls" of package.json'],
  ["node --version x.js", "runs program text"],
  ["python3 -W ignore x.py", 'runs "x.py"'],
  ["node -r ./y x.js", 'runs "x.js"'],
  ["java -jar x.jar", 'runs "x.jar"'],
  ["node --trace-deprecation x.js a", 'runs "x.js"'],
  ["guile -s x.scm", 'runs "x.scm"'],
  ["julia --file x.jl", 'runs "x.jl"'],
  ["php -f x.php", 'runs "x.php"'],
  ["node --eval 'console.log(1)'", "runs program text"],
  ["python3 -m tool a", 'runs "tool"'],
  ["./python3 --version", "runs program text"],
])("what %s does, in words", async (text, effect) => {
  expect((await factsOf(await prepared(), text)).effect).toContain(effect);
});

test.each(["npm ls", "pnpm list", "npm ls --depth=0", "python3 --version && npm --version"])(
  "%s runs no script and no program text",
  async (text) => expect((await factsOf(await prepared(), text)).effect).toBeUndefined(),
);

test.each([
  "cat link/secret.txt",
  "cat /etc/passwd",
  "cat ../outside/secret.txt",
  "cat sub/../../outside/secret.txt",
  "ls /",
  "cat /proc/self/environ",
  "cat /dev/zero",
  "ls ~",
  "cat .env",
  "ls > out",
  "npm test",
  "ls; touch x",
  "./ls",
  "no-such-program",
  "env",
  "cat $HOME/x",
  "diff sub .",
  "printf %99999d 1",
])("%s may do more", async (text) => {
  const facts = await factsOf(await prepared(), text);
  expect(facts).toMatchObject({ readOnly: false });
  expect(facts.risk).toBeUndefined();
  expect(facts.kind).toBeUndefined();
});

test("looking needs a repository, and one without programs", async () => {
  const bench = await openBench();
  expect(await factsOf(bench, "git diff a b")).toMatchObject({ readOnly: false });
  execFileSync("git", ["init", "-q", "."], { cwd: bench.root });
  execFileSync("git", ["config", "core.fsmonitor", "touch x"], { cwd: bench.root });
  expect(concernsOf(await factsOf(bench, "git status"))).toEqual(["git-programs"]);
});

test("a program can be given another folder", async () => {
  const bench = await prepared();
  writeRepository(bench, "[core]\n\tfsmonitor = x\n", "sub/");
  for (const text of ["env -C sub git status", "sudo --chdir=sub git status", "cd s?b; git status"])
    expect(concernsOf(await factsOf(bench, text)), text).toContain("git-programs");
});

test("a search through folders is no matter of a session's answer to looks", async () => {
  const facts = await factsOf(await prepared(), "grep -rn KEY .");
  expect(facts).toMatchObject({ readOnly: true, paths: [{ path: ".", access: "read", below: true }] });
  expect(facts.kind).toBeUndefined();
});

describe("concerns", () => {
  test.each<[string, string]>([
    ["echo x > .git/config", "protected:.git"],
    ["tee .GIT/hooks/pre-commit", "protected:.git"],
    ["cp a.txt .vscode/settings.json", "protected:.vscode"],
    ["cd sub && echo x > ../.npmrc", "protected:.npmrc"],
    ["echo x >> ~/.bashrc", "protected:.bashrc"],
    ["bash -c 'echo x > .envrc'", "protected:.envrc"],
    ["sed -i s/a/b/ .git/config", "protected:.git"],
    ["mv a.txt .git/hooks", "protected:.git"],
    ["npm test --node-options=--require=./x", "package-option:--node-options"],
    ["npm test --script-sh=./x", "package-option:--script-sh"],
    ["pnpm -C sub test", "package-option:-C"],
    ["git -C ../outside status", "git-elsewhere"],
    ["git --git-dir=x status", "git-elsewhere"],
    ["cd $X && git status", "git-elsewhere"],
    ["GIT_DIR=x git status", "git-elsewhere"],
    ["env GIT_CONFIG_GLOBAL=x git status", "git-elsewhere"],
    ["export GIT_WORK_TREE=x; git status", "git-elsewhere"],
    ["find . -execdir git status ';'", "git-elsewhere"],
    ["cd && git status", "git-elsewhere"],
    ["g\u0456t status", "deceptive-text"],
    ["ls \u202e", "deceptive-text"],
    ["cat .env", "secret:.env"],
    ["echo X=1 >> .env", "written-secret:.env"],
    ["echo X=1 | tee -a sub/.env", "written-secret:.env"],
    ["cp a.txt .env", "written-secret:.env"],
    ["sed -i s/a/b/ .env", "secret:.env"],
    [`${"env ".repeat(20)}ls`, "too-long"],
    [`tee ${"a ".repeat(2500)}`, "too-long"],
    [`${"a;".repeat(12_000)} tee .npmrc`, "unread-command"],
  ])("%j: %s", async (text, id) => {
    expect(concernsOf(await factsOf(await prepared(), text))).toContain(id);
  });

  test.each([
    "npm test",
    "npm test -- --grep x",
    "npm run build --silent",
    "npm exec vitest -- run",
    "echo x > a.txt",
    "ls 2>&1 >/dev/null",
    "git commit -m x",
  ])("none for %s", async (text) => {
    expect(concernsOf(await factsOf(await prepared(), text))).toEqual([]);
  });

  test("a program that lies in the workspace", async () => {
    const bench = await prepared();
    bench.write("bin/git", "#!/bin/sh\n");
    chmodSync(join(bench.root, "bin/git"), 0o755);
    const facts = await examinedIn(bench, "git status", `bin:${process.env["PATH"]}`);
    expect(facts).toMatchObject({ readOnly: false });
    expect(concernsOf(facts)).toEqual(["program:git"]);
  });

  test.each([
    ["mytool", []],
    ["git status", ["program:git"]],
    ["timeout 5 git status", ["program:git"]],
  ])("a package's program may not stand in for the system's: %s", async (text, concerns) => {
    const bench = await prepared();
    for (const name of ["git", "mytool"]) {
      bench.write(`node_modules/.bin/${name}`, "#!/bin/sh\n");
      chmodSync(join(bench.root, "node_modules/.bin", name), 0o755);
    }
    const searchPath = `${join(bench.root, "node_modules/.bin")}:${process.env["PATH"]}`;
    expect(concernsOf(await examinedIn(bench, text, searchPath))).toEqual(concerns);
  });

  test("a grammar that could not be loaded", async () => {
    const bench = await prepared();
    const reader = createReader({ ok: false, problem: "gone" });
    const facts = await examinedIn(bench, "ls", "/bin", ".", reader);
    expect(facts).toMatchObject({ readOnly: false, concerns: [{ id: "unread-command", decision: "ask" }] });
  });
});

test.each([
  "sudo ls",
  "env ls",
  "command ls",
  "nice ls",
  "bash -c 'env ls'",
  "curl x | sh",
  "python3",
  "eval ls",
  ". x",
  "$X",
  "`x` y",
  "cd $X && ls",
])("an answer to %s does not last", async (text) => {
  expect((await factsOf(await prepared(), text)).rememberable).toBe(false);
});

test.each([
  "npm test",
  "git commit -m x",
  "timeout 60 npm test",
  "cd sub && npm test",
  "python3 x.py",
  "node -e 1",
  "for i in 1 2; do echo $i; done",
  "node --test",
  "make a",
])("an answer to %s may last", async (text) => {
  expect((await factsOf(await prepared(), text)).rememberable).toBe(true);
});

test("what it runs in, and every path that it names", async () => {
  const bench = await prepared();
  const facts = await factsOf(bench, "cat b.txt > ../out.txt; cat ../link/secret.txt", "sub");
  expect(facts.paths).toEqual([
    { path: "out.txt", access: "write" },
    { path: "sub/b.txt", access: "read" },
    { path: join(bench.root, "link/secret.txt"), access: "read" },
  ]);
  mkdirSync(join(bench.root, "d"));
  expect((await factsOf(bench, "rm -rf d")).paths).toContainEqual({
    path: "d",
    access: "write",
    below: true,
  });
});

test("changed scripts, makefiles, script files and programs change what an answer covers", async () => {
  const bench = await prepared();
  bench.write("Makefile", "include x.mk\n");
  bench.write("x.mk", "a:\n");
  bench.write("x.sh", "true\n");
  const scopes = async () =>
    await Promise.all(
      [
        "npm test",
        "make a",
        "bash x.sh",
        "./x.sh",
        "cd sub && npm test",
        "timeout 5 npm test",
        "git push",
        "ls -l",
      ].map(async (text) => (await factsOf(bench, text)).scope),
    );
  const changed = async (write: () => void) => {
    const before = await scopes();
    write();
    const after = await scopes();
    return before.flatMap((scope, index) => (scope === after[index] ? [] : [index]));
  };
  expect(await changed(() => {})).toEqual([]);
  expect(
    await changed(() => bench.write("package.json", '{"scripts":{"test":"true"},"dependencies":{}}')),
  ).toEqual([]);
  expect(
    await changed(() => bench.write("package.json", '{"scripts":{"pretest":"x","test":"true"}}')),
  ).toEqual([0, 4, 5]);
  expect(await changed(() => bench.write(".npmrc", "x=y"))).toEqual([0, 4, 5]);
  expect(await changed(() => bench.write("x.mk", "a: b\n"))).toEqual([1]);
  expect(await changed(() => bench.write("GNUmakefile", "a:\n"))).toEqual([1]);
  expect(await changed(() => bench.write("x.sh", "false\n"))).toEqual([2, 3]);
  expect(await changed(() => bench.write("sub/package.json", "{}"))).toEqual([4]);
  expect(await changed(() => bench.write(".git/config", "[core]\n\tbare = true\n"))).toEqual([6]);
});

test("says in words what an answer covers", async () => {
  const facts = await factsOf(await prepared(), "npm test", "sub");
  expect(facts.covers).toBe(
    'exactly this command, in its folder "sub", as long as the scripts of sub/package.json do not change; other files that it loads may change: npm test',
  );
});
