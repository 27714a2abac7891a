/** Undo makes the folders above a file that comes back, and keeps a turn in the list if a path could not be restored. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { openUndoBench } from "./undo-bench.ts";

test.each(["build/node_modules/p/index.js", "tools/__pycache__/a.pyc", "build/out.txt"])(
  "a tracked file %s comes back with its folders after a hard reset",
  async (path) => {
    const bench = await openUndoBench();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: bench.root });
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "one");
    bench.put(path, "old\n");
    git("add", "-f", ".");
    git("commit", "-q", "-m", "two");
    bench.put(path, "old\nmine\n");
    const before = bench.tree()[path];
    await bench.run("turn-1", [["bash", { command: "git reset -q --hard HEAD~1" }]]);
    expect(bench.tree()[path]).toBeUndefined();
    const [preview] = await bench.undo.preview("s", 1);
    expect(preview?.lines).toContain(`  brings back ${path} (+2)`);
    const report = await bench.undo.undo("s");
    expect(report.lines.join("\n")).not.toContain("left alone");
    expect(bench.tree()[path]).toBe(before);
    await bench.undo.redo("s");
    expect(bench.tree()[path]).toBeUndefined();
  },
);

test("what a file in the place of its folder kept away can be undone later", async () => {
  const bench = await openUndoBench();
  bench.put("keep.txt", "1\n");
  bench.put("a/b/one.txt", "one\n");
  await bench.run("turn-1", [["write_file", { path: "first.txt", content: "1" }]]);
  await bench.run("turn-2", [["bash", { command: "rm a/b/one.txt keep.txt" }]]);
  bench.remove("a");
  bench.put("a", "in the way");
  const left = "  left alone  a/b/one.txt: a is not a folder now";
  const [preview] = await bench.undo.preview("s", 1);
  expect(preview?.lines).toContain(left);
  expect(preview?.left).toEqual(["a/b/one.txt"]);
  const report = await bench.undo.undo("s");
  expect(report.lines).toContain(left);
  expect(bench.tree()).toMatchObject({ "keep.txt": expect.anything() });
  bench.remove("a");
  await bench.undo.undo("s");
  expect(bench.tree()).toMatchObject({ "a/b/one.txt": expect.anything(), "first.txt": expect.anything() });
  expect(await bench.undo.news("s")).toHaveLength(1);
  await bench.undo.undo("s");
  expect(bench.tree()["first.txt"]).toBeUndefined();
});

test("a new folder that stays for the person's file does not keep the next undo from the turn before", async () => {
  const bench = await openUndoBench();
  await bench.run("turn-1", [["write_file", { path: "first.txt", content: "1" }]]);
  await bench.run("turn-2", [["write_file", { path: "new/a.txt", content: "a" }]]);
  bench.put("new/mine.txt", "mine");
  const report = await bench.undo.undo("s");
  expect(report.lines.join("\n")).toContain('left alone  new: the folder "new" holds other files');
  await bench.undo.undo("s");
  expect(Object.keys(bench.tree())).toEqual(["new/", "new/mine.txt"]);
});

test("a turn that cannot be restored does not keep an undo of two turns from the one before", async () => {
  const bench = await openUndoBench();
  bench.put("a/one.txt", "one\n");
  await bench.run("turn-1", [["write_file", { path: "first.txt", content: "1" }]]);
  await bench.run("turn-2", [["bash", { command: "rm a/one.txt" }]]);
  bench.remove("a");
  bench.put("a", "in the way");
  const report = await bench.undo.undo("s", 2);
  expect(report.changed).toBe(1);
  expect(bench.tree()["first.txt"]).toBeUndefined();
});
