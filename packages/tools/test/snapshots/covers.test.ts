/** A command whose losses are kept says so; what is ignored, too large, secret or unknown is not kept. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openBench, said, sharedBench } from "../bench.ts";

const project = sharedBench({ snapshotLimits: { fileBytes: 1000 } }, (bench) => {
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd: bench.root });
  bench.write("tracked.log", "tracked although it is ignored\n");
  bench.write("cache/tracked.txt", "x\n");
  execFileSync("git", ["add", "-A"], { cwd: bench.root });
  bench.write(".gitignore", "*.log\ncache/\ndist/\n");
  for (const path of ["a.txt", "src/a.js", "src/deep/b.js", "mixed/a.js", "dist/out.js", "cache/other.txt"]) {
    bench.write(path, "x\n");
  }
  bench.write("notes.log", "x\n");
  bench.write("mixed/debug.log", "x\n");
  bench.write("large/file", "x".repeat(2000));
  bench.write("secret/.env", "A=1\n");
  bench.write("node_modules/a/index.js", "x\n");
  mkdirSync(join(bench.root, "empty"));
  symlinkSync("../outside/secret.txt", join(bench.root, "away"));
});

async function kept(command: string, more: object = {}) {
  return (await (await project()).examine("bash", { command, ...more })).command?.kept;
}

describe("all that the command may lose is kept", () => {
  test.each([
    "rm a.txt",
    "rm -rf src",
    "rm -rf src/deep a.txt",
    "c=rm; $c -rf src",
    "c=rm; $c a.txt src/a.js",
    "echo x > a.txt",
    "rm src/*.js",
    "sed -i s/x/y/ a.txt",
    "rm tracked.log",
    "rm cache/tracked.txt",
    "mv a.txt src/a.js",
    "cd src && rm a.js",
    "sort -o a.txt a.txt",
  ])("%s", async (command) => expect(await kept(command)).not.toBeUndefined());
});

describe("not all that the command may lose is kept", () => {
  test.each([
    ["an ignored file", "rm notes.log"],
    ["an ignored folder", "rm -rf dist"],
    ["a folder with ignored files", "rm -rf mixed"],
    ["a folder with tracked and ignored files", "rm -rf cache"],
    ["a folder of packages", "rm -rf node_modules"],
    ["a large file", "rm -rf large"],
    ["a secret", "rm -rf secret"],
    ["an ignored file by an unknown program", "c=rm; $c notes.log"],
    ["a pattern of ignored files", "rm *.log"],
    ["unknown files", "rm $x"],
    ["unknown files of an unknown program", "c=rm; $c $x"],
    ["an unknown program with unknown words", "$c"],
    ["a file elsewhere", "echo x > ../outside/secret.txt"],
    ["a file elsewhere behind a link", "echo x > away"],
    ["the repository", "rm -rf .git"],
    ["everything", "rm -rf ./*"],
    ["files that a patch from elsewhere names", "cat a.txt | patch -p1"],
    ["a kept and an ignored file", "rm a.txt notes.log"],
    ["braces that lead upwards", "rm {a,../b}.txt"],
  ])("%s: %s", async (_, command) => expect(await kept(command)).toBeUndefined());

  test("in the background", async () => {
    expect(await kept("rm a.txt", { background: true })).toBeUndefined();
  });
});

test("a command that loses nothing has nothing to keep", async () => {
  expect(await kept("echo x")).toBeUndefined();
  expect(await kept("mkdir empty/new")).toBeUndefined();
});

const turn = { sessionId: "s", turnId: "turn-1" };

test("a command does not run if what it needs is not kept any more, and the next examination says so", async () => {
  const bench = await openBench();
  bench.write("a/a.txt", "x\n");
  const examined = await bench.examine("bash", { command: "rm -r a" });
  expect(examined.command?.kept).toHaveLength(1);
  bench.write("a/.env", "SECRET=1\n");
  const output = await bench.call("bash", { command: "rm -r a" }, { examined, turn, mode: "auto" });
  expect(said(output)).toMatch(/^Nothing ran/);
  expect(bench.text("a/a.txt")).toBe("x\n");
  expect((await bench.examine("bash", { command: "rm -r a" })).command?.kept).toBeUndefined();
  const again = await bench.call("bash", { command: "rm -r a" }, { examined, turn, mode: "bypass" });
  expect(again.ok).toBe(true);
});

test("a call without a turn, which nothing could undo, is not run because of what is kept", async () => {
  const bench = await openBench();
  bench.write("a.txt", "x\n");
  const examined = await bench.examine("bash", { command: "rm a.txt" });
  expect(said(await bench.call("bash", { command: "rm a.txt" }, { examined }))).toMatch(/^Nothing ran/);
  expect((await bench.examine("bash", { command: "rm a.txt" })).command?.kept).toBeUndefined();
});

test.each([
  ["undo is switched off", { changeLimits: { totalBytes: 0 } }],
  ["snapshots are switched off", { snapshotLimits: { totalBytes: 0 } }],
  ["there are too many files", { snapshotLimits: { entries: 2 } }],
  ["one turn would replace too much", { changeLimits: { turnBytes: 3 } }],
  ["the contents are above the quota", { snapshotLimits: { totalBytes: 6 } }],
])("nothing counts as kept if %s", async (_, options) => {
  const bench = await openBench(options);
  for (const path of ["a/1", "a/2", "a/3"]) bench.write(path, `${path}\n`);
  expect((await bench.examine("bash", { command: "rm -r a" })).command?.kept).toBeUndefined();
});

test("a file that was kept stays kept in the session when it becomes ignored", async () => {
  const bench = await openBench();
  bench.write("work.txt", "mine\n");
  await bench.call("bash", { command: "true; echo x > other" }, { turn });
  bench.write(".gitignore", "*\n");
  expect((await bench.examine("bash", { command: "rm work.txt" })).command?.kept).toHaveLength(1);
});

test("no content elsewhere is read through a folder that becomes a link", async () => {
  const bench = await openBench();
  bench.write("sub/secret.txt", "mine\n");
  await bench.call("bash", { command: "echo x > other" }, { turn });
  rmSync(join(bench.root, "sub"), { recursive: true });
  symlinkSync(bench.outside, join(bench.root, "sub"));
  await bench.call("bash", { command: "echo y > other" }, { turn });
  writeFileSync(join(bench.root, "marker"), "");
  const found = execFileSync("sh", ["-c", `grep -rl OUTSIDE ${bench.state} || true`], { encoding: "utf8" });
  expect(found).toBe("");
});
