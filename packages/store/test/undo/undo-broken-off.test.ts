/** Checks interrupted undos, and two processes that undo at once: the model is told every change exactly once. */
import { appendFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withFileLock } from "../../src/kept-file/file-lock.ts";
import { type Call, openUndoBench } from "./undo-bench.ts";

const write = (path: string, content: string): Call => ["write_file", { path, content }];

const nextStep = () => new Promise((resolve) => setImmediate(resolve));

test("who lost the lock stops, and whoever goes on tells of all that was undone", async () => {
  const bench = await openUndoBench();
  const names = Array.from({ length: 12 }, (_, index) => `f${index}.txt`);
  await bench.run(
    "turn-1",
    names.map((name) => write(name, "x")),
  );
  const lock = join(bench.kept, "lock");
  const undone = bench.undo.undo("s");
  while (Object.keys(bench.tree()).length === names.length) await nextStep();
  writeFileSync(lock, "another process");
  await expect(undone).rejects.toThrow(/another process undoes .* run it again/);
  const left = Object.keys(bench.tree()).length;
  expect(left).toBeGreaterThan(0);
  rmSync(lock);
  expect(await bench.undo.news("s")).toEqual([]);
  expect((await bench.undo.undo("s")).changed).toBe(left);
  expect(bench.tree()).toEqual({});
  const [news = ""] = await bench.undo.news("s");
  for (const name of names) expect(news).toContain(`"${name}"`);
});

test("what another process undoes while the news is taken is not lost", async () => {
  const bench = await openUndoBench();
  await bench.run("turn-1", [write("a.txt", "x")]);
  await bench.run("turn-2", [write("b.txt", "x")]);
  await bench.undo.undo("s");
  const { news } = await withFileLock(join(bench.kept, "lock"), async () => {
    const asked = bench.undo.news("s");
    for (let step = 0; step < 50; step += 1) await nextStep();
    const line = { v: 1, type: "undone", group: 0, time: 1, paths: ["a.txt"] };
    appendFileSync(join(bench.kept, "changes.jsonl"), `${JSON.stringify(line)}\n`);
    return { news: asked };
  });
  expect((await news).join()).toMatch(/"b\.txt".*"a\.txt"/);
  expect(await bench.undo.news("s")).toEqual([]);
  expect(existsSync(join(bench.kept, "lock"))).toBe(false);
});

test("a branch says where what came before it is undone", async () => {
  const bench = await openUndoBench();
  await bench.run("turn-1", [write("a.txt", "x")]);
  expect((await bench.undo.undo("branch")).lines.join()).toMatch(/before a branch .* undo --session ID/);
});
