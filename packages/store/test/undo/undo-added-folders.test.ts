/** Undoes what tools and commands changed in a folder that the person added, also when it is added no more. */
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { treeOf } from "../../../../test/tree-of.ts";
import { type Call, openUndoBench } from "./undo-bench.ts";

async function openWithLib(writable = true) {
  const bench = await openUndoBench();
  const lib = join(bench.root, "../lib");
  mkdirSync(join(lib, "src"), { recursive: true });
  writeFileSync(join(lib, "src/a.ts"), "old\n");
  writeFileSync(join(lib, "b.txt"), "b\n");
  bench.put("a.txt", "workspace\n");
  bench.added.add({ root: lib, trusted: writable, writable });
  return { ...bench, lib };
}

test.each<[string, (lib: string) => readonly Call[]]>([
  ["an edit", (lib) => [["write_file", { path: `${lib}/src/a.ts`, content: "new\n" }]]],
  ["a new file in new folders", (lib) => [["write_file", { path: `${lib}/x/y/z.txt`, content: "z\n" }]]],
  ["a removed folder", (lib) => [["remove", { path: `${lib}/src`, recursive: true }]]],
  ["a command by an absolute path", (lib) => [["bash", { command: `rm ${lib}/b.txt` }]]],
  ["a command in the folder", (lib) => [["bash", { command: "rm -r src; echo x > b.txt", cwd: lib }]]],
  [
    "a command that changes both folders",
    (lib) => [["bash", { command: `echo x >> a.txt; mv ${lib}/b.txt b.txt; mkdir ${lib}/empty` }]],
  ],
  [
    "several calls",
    (lib) => [
      ["write_file", { path: `${lib}/b.txt`, content: "1\n" }],
      ["write_file", { path: "a.txt", content: "2\n" }],
      ["bash", { command: `c=rm; $c -rf ${lib}/src` }],
    ],
  ],
])("%s", async (_, calls) => {
  const { lib, run, undo, added, tree } = await openWithLib();
  const trees = () => [tree(), treeOf(lib)];
  const before = trees();
  const notes = await run("turn-1", calls(lib));
  expect(notes.filter((note) => !note.startsWith("the file was there before"))).toEqual([]);
  const after = trees();
  expect(after).not.toEqual(before);
  added.remove(lib);
  const previews = await undo.preview("s", 1);
  const undone = await undo.undo("s");
  expect(trees(), undone.lines.join("\n")).toEqual(before);
  expect(previews).toMatchObject([{ paths: expect.arrayContaining([expect.stringContaining(lib)]) }]);
  expect(previews[0]?.left).toBeUndefined();
  expect((await undo.changes("s")).files).toEqual([]);
  await undo.redo("s");
  expect(trees()).toEqual(after);
});

test("nothing is written through a link that has taken the place of the folder", async () => {
  const { lib, run, undo, root } = await openWithLib();
  await run("turn-1", [["write_file", { path: `${lib}/b.txt`, content: "new\n" }]]);
  const other = join(root, "../other");
  mkdirSync(other);
  writeFileSync(join(other, "b.txt"), "new\n");
  renameSync(lib, `${lib}-moved`);
  symlinkSync(other, lib);
  const { lines, changed } = await undo.undo("s");
  expect([changed, lines.join("\n")]).toEqual([0, expect.stringMatching(/left alone .*lib\/b\.txt/)]);
  expect(readFileSync(join(other, "b.txt"), "utf8")).toBe("new\n");
  expect(existsSync(`${lib}-moved/b.txt`)).toBe(true);
});

test("the list of changes names the file by its whole path", async () => {
  const { lib, run, undo } = await openWithLib();
  await run("turn-1", [["write_file", { path: `${lib}/b.txt`, content: "new\n" }]]);
  expect((await undo.changes("s")).files).toMatchObject([
    { path: `${lib}/b.txt`, kind: "changed", added: 1, removed: 1 },
  ]);
});

test("what the person changes after a command that could not be kept is no change of that command", async () => {
  const { lib, run, undo, resources, put, tree } = await openWithLib();
  writeFileSync(join(lib, ".env"), "TOKEN=abcdef123456\n");
  await run("turn-1", [["bash", { command: "echo x > c.txt" }]]);
  const turn = { sessionId: "s", turnId: "turn-2" };
  const kept = resources.snapshots.before({ turn }, [{ path: `${lib}/.env` }]);
  await expect(kept).rejects.toThrow("cannot be stored");
  put("a.txt", "mine\n");
  await run("turn-3", [["bash", { command: "echo y > d.txt" }]]);
  await undo.undo("s", 3);
  expect(tree()).toEqual({ "a.txt": "mine\n" });
});

test("undo says once that a job ran, whatever number of folders it may have changed", async () => {
  const { run, undo } = await openWithLib();
  await run("turn-1", [["bash", { command: "true", background: true }]]);
  const [preview] = await undo.preview("s", 1);
  expect(preview?.lines.filter((line) => line.includes("in the background"))).toHaveLength(1);
  expect((await undo.changes("s")).notes.filter((note) => note.includes("in the background"))).toHaveLength(
    1,
  );
});
