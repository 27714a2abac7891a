/** Checks the list of what a session's tools changed. */
import { describe, expect, test } from "vitest";
import { type Call, openUndoBench } from "./undo-bench.ts";

const write = (path: string, content: string): Call => ["write_file", { path, content }];
const remove = (path: string): Call => ["remove", { path, recursive: true }];

describe("the changes of a session", () => {
  test("are one diff for each file, over all turns, with its added and removed lines", async () => {
    const bench = await openUndoBench();
    bench.put("a.txt", "one\ntwo\n");
    bench.put("gone.txt", "x\n");
    await bench.run("turn-1", [write("a.txt", "ONE\ntwo\n"), write("p/new.txt", "n\n")]);
    await bench.run("turn-2", [write("a.txt", "ONE\nTWO\nthree\n"), remove("gone.txt")]);
    expect(await bench.undo.changes("s")).toEqual({
      files: [
        {
          path: "a.txt",
          kind: "changed",
          added: 3,
          removed: 2,
          diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n-one\n-two\n+ONE\n+TWO\n+three\n",
        },
        {
          path: "gone.txt",
          kind: "removed",
          added: 0,
          removed: 1,
          diff: "--- a/gone.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n",
        },
        {
          path: "p/new.txt",
          kind: "created",
          added: 1,
          removed: 0,
          diff: "--- /dev/null\n+++ b/p/new.txt\n@@ -0,0 +1,1 @@\n+n\n",
        },
      ],
      notes: [],
    });
    expect(await bench.undo.changes("other")).toEqual({ files: [], notes: [] });
  });

  test("leave out what is undone, and what is as it was before", async () => {
    const bench = await openUndoBench();
    await bench.run("turn-1", [write("a.txt", "1\n")]);
    await bench.run("turn-2", [write("b.txt", "2\n"), write("c.txt", "3\n"), remove("c.txt")]);
    const paths = async () => (await bench.undo.changes("s")).files.map(({ path }) => path);
    expect(await paths()).toEqual(["a.txt", "b.txt"]);
    await bench.undo.undo("s");
    expect(await paths()).toEqual(["a.txt"]);
    await bench.undo.redo("s");
    expect(await paths()).toEqual(["a.txt", "b.txt"]);
  });

  test("say when something else changed a file since", async () => {
    const bench = await openUndoBench();
    await bench.run("turn-1", [write("a.txt", "tool\n")]);
    bench.put("a.txt", "tool\nperson\n");
    expect((await bench.undo.changes("s")).files).toMatchObject([
      { path: "a.txt", kind: "created", added: 2, note: "something else changed it since" },
    ]);
  });

  test("name a new folder only when nothing below it changed", async () => {
    const bench = await openUndoBench();
    await bench.run("turn-1", [["mkdir", { path: "empty" }], write("full/a.txt", "x\n")]);
    expect((await bench.undo.changes("s")).files.map(({ path }) => path)).toEqual(["empty/", "full/a.txt"]);
  });

  test.each([
    ["a binary file", "a.bin", "\0\0\0", {}, "it is not text"],
    [
      "a file whose old content was too large to keep",
      "a.txt",
      "12345",
      { fileBytes: 3 },
      "too large to be kept",
    ],
    ["a name of secrets", ".env", "KEY=1", {}, "because its name or its content looks like a secret"],
  ])("show no diff of %s, and why", async (_what, path, old, limits, why) => {
    const bench = await openUndoBench(limits);
    bench.put(path, old);
    await bench.run("turn-1", [remove(path)]);
    const [file] = (await bench.undo.changes("s")).files;
    expect(file?.diff).toBeUndefined();
    expect(file?.note).toContain(why);
  });

  test("show no diff of a file with a known key", async () => {
    const key = "tom-key-0123456789";
    const bench = await openUndoBench({}, [key]);
    await bench.run("turn-1", [write("a.txt", `key ${key}\n`)]);
    expect(JSON.stringify(await bench.undo.changes("s"))).not.toContain(key);
  });
});
