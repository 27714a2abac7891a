/** Checks changes that are too large to be kept for undo, or cannot be kept. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Call, openUndoBench, type UndoBench } from "./undo-bench.ts";

const write = (path: string, content: string): Call => ["write_file", { path, content }];
const edit = (path: string, old_string: string, new_string: string): Call => [
  "edit_file",
  { path, old_string, new_string },
];
const remove = (path: string): Call => ["remove", { path, recursive: true }];

function contentsIn(bench: UndoBench): readonly string[] {
  return readdirSync(bench.kept).filter((name) => name.length === 64);
}

describe("what cannot be kept is said, and nothing else suffers", () => {
  test.each([
    ["a file that is too large", { fileBytes: 10 }, 'the old content of "big.txt" is not kept for undo'],
    ["too much in one turn", { turnBytes: 10 }, 'the old content of "big.txt" is not kept for undo'],
    ["too many entries in one turn", { turnEntries: 2 }, "more than 2 files and folders were changed"],
  ])("%s", async (_title, limits, note) => {
    const bench = await openUndoBench(limits);
    bench.put("d/big.txt", "a long content\n");
    bench.put("big.txt", "a long content\n");
    bench.put("small.txt", "small");
    const notes = await bench.run("turn-1", [
      edit("small.txt", "small", "SMALL"),
      remove("big.txt"),
      remove("d"),
    ]);
    expect(notes.join("\n")).toContain(note);
    const report = await bench.undo.undo("s");
    expect(report.lines.join("\n")).toMatch(/left alone {2}|not kept {4}/);
    expect(bench.tree()["small.txt"]).toBe("small");
  });

  test("with no room at all for undo nothing is kept", async () => {
    const bench = await openUndoBench({ totalBytes: 0 });
    await bench.run("turn-1", [write("a.txt", "x")]);
    expect(existsSync(join(bench.state, "undo"))).toBe(false);
    expect(await bench.undo.undo("s")).toMatchObject({ changed: 0 });
  });

  test("a state folder that cannot be written leaves the change possible, with a note", async () => {
    const bench = await openUndoBench();
    mkdirSync(bench.state, { recursive: true });
    writeFileSync(join(bench.state, "undo"), "in the way");
    expect(await bench.run("turn-1", [write("a.txt", "x")])).toEqual([
      'the change of "a.txt" cannot be undone: nothing can be kept (ENOTDIR)',
    ]);
    expect(bench.tree()).toEqual({ "a.txt": "x" });
  });

  test.skipIf(process.platform === "win32").each([
    ["a pipe", (path: string) => execFileSync("mkfifo", [path])],
    ["a folder", (path: string) => mkdirSync(path)],
    ["a link to elsewhere", (path: string) => symlinkSync("/dev/null", path)],
  ])("%s in place of the list of changes holds nothing up", async (_what, put) => {
    const bench = await openUndoBench();
    await bench.run("turn-1", [write("a.txt", "x")]);
    rmSync(join(bench.kept, "changes.jsonl"));
    put(join(bench.kept, "changes.jsonl"));
    expect((await bench.run("turn-2", [write("a.txt", "y")])).join()).toContain("cannot be undone");
    expect(bench.tree()).toEqual({ "a.txt": "y" });
    expect(await bench.undo.news("s")).toEqual([]);
    await expect(bench.undo.undo("s")).rejects.toMatchObject({ name: "HarnessError" });
  });

  test.skipIf(process.platform === "win32")("a pipe in place of a content holds nothing up", async () => {
    const bench = await openUndoBench();
    bench.put("a.txt", "old");
    await bench.run("turn-1", [write("a.txt", "x")]);
    const [content = ""] = contentsIn(bench);
    rmSync(join(bench.kept, content));
    execFileSync("mkfifo", [join(bench.kept, content)]);
    expect((await bench.undo.undo("s")).lines.join()).toContain("its old content is no longer kept");
    bench.put("a.txt", "old");
    expect((await bench.run("turn-2", [remove("a.txt")])).join()).toContain("not kept for undo");
    bench.put("a.txt", "old");
    await bench.run("turn-3", [remove("a.txt")]);
    await bench.undo.undo("s");
    expect(bench.tree()).toEqual({ "a.txt": "old" });
  });

  test("contents beyond the quota go, the oldest first, over all sessions", async () => {
    const bench = await openUndoBench({ totalBytes: 64 * 1024 });
    const content = (n: number) => `${n}`.repeat(6000).slice(0, 6000);
    for (let turn = 0; turn < 30; turn += 1)
      await bench.run(`turn-${turn}`, [write("a.txt", content(turn + 10))], turn < 5 ? "older" : "s");
    const bytes = () =>
      contentsIn(bench).reduce((sum, name) => sum + statSync(join(bench.kept, name)).size, 0);
    await expect.poll(bytes).toBeLessThan(64 * 1024 + 8_000);
    await expect.poll(() => existsSync(bench.kept.replace(/s$/, "older"))).toBe(false);
    for (let turn = 29; turn > 24; turn -= 1) {
      expect((await bench.undo.undo("s")).changed).toBe(1);
      expect(bench.tree()["a.txt"]).toBe(content(turn + 9));
    }
    const reports = await bench.undo.undo("s", 30);
    expect(reports.lines.join("\n")).toContain("its old content is no longer kept");
  });

  test("what a turn keeps pushes out neither its own contents nor the log, and what is not kept is said", async () => {
    const bench = await openUndoBench({ totalBytes: 64 * 1024 });
    await bench.run("turn-1", [write("new.txt", "x"), ["mkdir", { path: "made" }]]);
    for (let n = 0; n < 8; n += 1) bench.put(`big/${n}.txt`, `${n}`.repeat(10_000));
    const notes = await bench.run("turn-2", [remove("big")]);
    expect(notes).toHaveLength(3);
    expect(notes[0]).toMatch(/"big\/\d.txt" is not kept for undo: more than 58982 bytes would be replaced/);
    const other = await openUndoBench({ totalBytes: 64 * 1024 }, [], bench.state);
    other.put("a.txt", "a".repeat(20_000));
    await other.run("turn-1", [remove("a.txt")]);
    await expect.poll(() => contentsIn(bench).length).toBeLessThan(5);
    expect((await bench.undo.undo("s")).lines.join("\n")).toMatch(
      /too much was changed[\s\S]*no longer kept/,
    );
    expect((await bench.undo.undo("s")).changed).toBe(2);
    expect(Object.keys(bench.tree())).not.toContain("new.txt");
    expect(contentsIn(other)).toHaveLength(1);
  });

  test("a kept content that was tampered with is not put back", async () => {
    const bench = await openUndoBench();
    bench.put("a.txt", "one\n");
    await bench.run("turn-1", [edit("a.txt", "one", "two")]);
    for (const name of readdirSync(bench.kept).filter((one) => one !== "changes.jsonl"))
      appendFileSync(join(bench.kept, name), "more");
    expect((await bench.undo.undo("s")).changed).toBe(0);
    expect(bench.tree()["a.txt"]).toBe("two\n");
  });
});
