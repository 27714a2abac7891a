/** Checks that files with secrets are never copied for undo. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Call, openUndoBench } from "./undo-bench.ts";

const write = (path: string, content: string): Call => ["write_file", { path, content }];

test("contents of files that usually hold secrets are not kept, neither old nor new", async () => {
  const bench = await openUndoBench();
  bench.put(".env", "TOKEN=tom-old\n");
  const notes = await bench.run("turn-1", [write(".env", "TOKEN=tom-new\n"), write("a.pem", "tom-key")]);
  expect(notes.join("\n")).toContain('the old content of ".env" is not kept for undo');
  const report = await bench.undo.undo("s");
  expect(report.lines.join("\n")).toContain("left alone  .env: its old content was not kept");
  expect(bench.tree()).toEqual({ ".env": "TOKEN=tom-new\n" });
  expect((await bench.undo.redo("s")).lines.join("\n")).toContain("left alone  a.pem");
  for (const name of readdirSync(bench.kept))
    expect(readFileSync(join(bench.kept, name), "utf8")).not.toContain("tom-");
});

test("a file that holds a known key is not copied", async () => {
  const bench = await openUndoBench({}, ["tom-key-0123456789"]);
  bench.put("notes.txt", "the key is tom-key-0123456789\n");
  const notes = await bench.run("turn-1", [write("notes.txt", "gone")]);
  expect(notes.join("\n")).toContain('the old content of "notes.txt" is not kept for undo');
  const report = await bench.undo.undo("s");
  expect(report.lines.join("\n")).toContain("left alone  notes.txt: its old content was not kept");
  for (const name of readdirSync(bench.kept))
    expect(readFileSync(join(bench.kept, name), "utf8")).not.toContain("tom-key");
});

test("what undo takes back is not copied for redo when it holds a known key", async () => {
  const key = "tom-key-0123456789";
  const bench = await openUndoBench({}, [key]);
  bench.put("old.js", "old\n");
  await bench.run("turn-1", [write("config.js", `key = "${key}"\n`), write("old.js", `// ${key}\n`)]);
  expect((await bench.undo.undo("s")).changed).toBe(2);
  expect(bench.tree()).toEqual({ "old.js": "old\n" });
  for (const name of readdirSync(bench.kept))
    expect(readFileSync(join(bench.kept, name), "utf8")).not.toContain(key);
  const redone = await bench.undo.redo("s");
  expect(redone.lines.join("\n")).toMatch(/left alone {2}config\.js: its old content was not kept/);
  expect(bench.tree()).toEqual({ "old.js": "old\n" });
});

test("a name that holds a known key is not written down", async () => {
  const key = "tom-key-0123456789";
  const bench = await openUndoBench({}, [key]);
  await bench.run("turn-1", [write(`${key}.txt`, "x"), write("other.txt", "y")]);
  const report = await bench.undo.undo("s");
  expect(report.lines.join("\n")).toContain(
    "not kept    a change of a file with one of your keys in its name",
  );
  expect(bench.tree()).toEqual({ [`${key}.txt`]: "x" });
  for (const name of readdirSync(bench.kept))
    expect(readFileSync(join(bench.kept, name), "utf8")).not.toContain(key);
});
