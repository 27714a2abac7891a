/** Undoes what commands changed: the workspace is looked at before and after each command. */
import { spawnSync } from "node:child_process";
import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Call, openUndoBench, type UndoBench } from "./undo-bench.ts";

const command = (text: string): Call => ["bash", { command: text }];

function furnish(bench: UndoBench): void {
  bench.put("a.txt", "one\ntwo\n");
  bench.put("run.sh", "#!/bin/sh\n", 0o755);
  bench.put("src/deep/c.js", "c", 0o600);
  bench.put("src/b.js", "b");
  bench.put("big.bin", "0123456789".repeat(60_000));
  bench.link("src/to-b", "b.js");
  bench.put("empty/x", "");
  bench.remove("empty/x");
}

const commands: readonly (readonly [title: string, text: string])[] = [
  ["a file that is removed", "rm a.txt"],
  ["a program that only runs by a variable", "c=rm; $c -rf src"],
  ["a file that is emptied", ": > a.txt"],
  ["a large file that is changed", "printf x >> big.bin"],
  ["a file that is moved", "mv src/b.js moved.js"],
  ["a folder that is moved", "mv src other"],
  ["new files in new folders", "mkdir -p new/er && echo x > new/er/file"],
  ["modes", "chmod 600 a.txt && chmod 700 src && chmod 644 run.sh"],
  ["a mode and a content", "echo x > a.txt && chmod 444 a.txt"],
  ["a link that leads elsewhere", "ln -sfn deep/c.js src/to-b"],
  ["a link that is removed", "rm src/to-b"],
  ["a file that becomes a folder", "rm a.txt && mkdir a.txt && echo x > a.txt/in"],
  ["a folder that becomes a file", "rm -r src && echo x > src"],
  ["an empty folder that is removed", "rmdir empty"],
  ["a file in an empty folder", "echo x > empty/file"],
  ["a script that changes files", "for f in a.txt src/b.js; do tr a-z A-Z < $f > t && mv t $f; done"],
];

describe("what a command changed is undone and redone, to the mode and the link", () => {
  test.each(commands)("%s", async (_, text) => {
    const bench = await openUndoBench();
    furnish(bench);
    const before = bench.tree();
    expect(await bench.run("turn-1", [command(text)])).toEqual([]);
    const after = bench.tree();
    expect(after).not.toEqual(before);
    const undone = await bench.undo.undo("s");
    expect(bench.tree(), undone.lines.join("\n")).toEqual(before);
    const redone = await bench.undo.redo("s");
    expect(bench.tree(), redone.lines.join("\n")).toEqual(after);
    await bench.undo.undo("s");
    expect(bench.tree()).toEqual(before);
  });
});

test("a chain of commands and tools is undone turn by turn", async () => {
  const bench = await openUndoBench();
  furnish(bench);
  const trees = [bench.tree()];
  const turns: readonly (readonly Call[])[] = [
    [command("sed -i s/one/eins/ a.txt && chmod 755 a.txt")],
    [["write_file", { path: "a.txt", content: "new\n" }], command("echo more >> a.txt")],
    [
      command("chmod 600 a.txt"),
      ["read_file", { path: "a.txt" }],
      ["edit_file", { path: "a.txt", old_string: "new", new_string: "neu" }],
    ],
  ];
  for (const [at, calls] of turns.entries()) {
    await bench.run(`turn-${at + 1}`, calls);
    trees.push(bench.tree());
  }
  for (const tree of trees.slice(0, -1).toReversed()) {
    await bench.undo.undo("s");
    expect(bench.tree()).toEqual(tree);
  }
});

test("what the person changed between two commands stays, and is not taken for a change of the command", async () => {
  const bench = await openUndoBench();
  furnish(bench);
  await bench.run("turn-1", [command("echo x > made.txt")]);
  bench.put("a.txt", "mine");
  await bench.run("turn-2", [command("echo y > other.txt")]);
  await bench.undo.undo("s", 2);
  expect(bench.tree()["a.txt"]).toBe("mine");
  expect(bench.tree()["made.txt"]).toBeUndefined();
  expect(bench.tree()["other.txt"]).toBeUndefined();
});

test("a mode that the person has set since stays", async () => {
  const bench = await openUndoBench();
  bench.put("a.txt", "one\n");
  await bench.run("turn-1", [command("echo two > a.txt; chmod 600 a.txt")]);
  chmodSync(join(bench.root, "a.txt"), 0o640);
  await bench.undo.undo("s");
  expect(bench.tree()["a.txt"]).toContain("one");
  expect(statSync(join(bench.root, "a.txt")).mode & 0o777).toBe(0o640);
});

test("a file with a secret is never copied, and undo says so", async () => {
  const bench = await openUndoBench({}, ["sk-verysecretvalue"]);
  bench.put(".env", "TOKEN=abc\n");
  bench.put("notes.txt", "the key is sk-verysecretvalue\n");
  await bench.run("turn-1", [command("rm .env notes.txt")]);
  const { lines } = await bench.undo.undo("s");
  expect(lines.filter((line) => line.includes("looks like a secret"))).toHaveLength(2);
  const found = spawnSync("grep", ["-rlE", "TOKEN=abc|sk-verysecretvalue", bench.state], {
    encoding: "utf8",
  });
  expect(found.stdout).toBe("");
});
