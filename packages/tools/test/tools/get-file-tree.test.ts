import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBench, said } from "../bench.ts";

test("lists all files as a JSON array, without what .gitignore and version control hide", async () => {
  const bench = await openBench();
  for (const path of ["b/c.txt", "a.txt", ".github/w.yml", "dist/x.js", ".git/HEAD", "ü n.txt"]) {
    bench.write(path, "x");
  }
  bench.write(".gitignore", "dist\n");
  symlinkSync(bench.outside, join(bench.root, "out"));
  const listed = (await bench.call("get_file_tree", {})) as { ok: true; data: string };
  expect(JSON.parse(listed.data)).toEqual([".github/w.yml", ".gitignore", "a.txt", "b/c.txt", "ü n.txt"]);
  expect(JSON.parse(said(await bench.call("get_file_tree", { path: "b" })))).toEqual(["b/c.txt"]);
});

test("is still JSON when it is cut, and says how many there are", async () => {
  const bench = await openBench({ resultLimit: () => 100 });
  for (let index = 10; index < 40; index += 1) {
    bench.write(`file-${index}.txt`, "");
  }
  const output = await bench.call("get_file_tree", {});
  expect(JSON.parse(said(output))).toEqual([
    "file-10.txt",
    "file-11.txt",
    "file-12.txt",
    "file-13.txt",
    "file-14.txt",
    "file-15.txt",
    "file-16.txt",
  ]);
  const [note = ""] = output.notes ?? [];
  const path = /^showing 7 of 30 files; (\S+) has all that were counted/.exec(note)?.[1] ?? "";
  const all = await bench.call("read_file", { path, offset: 30 });
  expect(said(all)).toBe("30: file-39.txt\n[showing 30-30 of 30]");
});

test.each([
  ["none", "not_found"],
  ["..", "validation_failed"],
])("answers %s with %s", async (path, errorType) => {
  const bench = await openBench();
  expect(await bench.call("get_file_tree", { path })).toMatchObject({ ok: false, errorType });
});

test("an empty workspace has no files", async () => {
  const bench = await openBench();
  expect(await bench.call("get_file_tree", {})).toEqual({ ok: true, data: "[]" });
});
