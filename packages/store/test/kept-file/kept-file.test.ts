/** Checks what happens to a change whose lock is lost while it is made. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { expect, onTestFinished, test } from "vitest";
import { changeKept, type KeptKind } from "../../src/kept-file/kept-file.ts";

const kind: KeptKind<readonly string[]> = {
  version: 1,
  empty: [],
  contents: "words",
  durable: false,
  read: (text) => ({ kind: "value", value: JSON.parse(text) }),
  write: (words) => JSON.stringify(words),
};

/** Returns a function that adds a word, and whose first `lost` runs lose the lock. */
function place(lost: number) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lh-kept-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "words.json");
  const journal = createWriteJournal(folder);
  onTestFinished(() => journal.close());
  let runs = 0;
  const add = () =>
    changeKept(path, kind, journal, (words) => {
      runs += 1;
      const [lock] = readdirSync(folder).filter((name) => /lock$/.test(name));
      if (runs <= lost && lock !== undefined) rmSync(join(folder, lock));
      return [...words, "word"];
    });
  return { add, runs: () => runs, text: () => readFileSync(path, "utf8") };
}

test.each([
  ["once", 1],
  ["twice", 2],
])("a change that loses its lock %s is made again", async (_times, lost) => {
  const { add, runs, text } = place(lost);
  expect(await add()).toEqual([]);
  expect([runs(), text()]).toEqual([lost + 1, '["word"]']);
});

test("a change that loses its lock each time fails, and writes nothing", async () => {
  const { add, runs, text } = place(9);
  await expect(add()).rejects.toThrow("was changed by another process: try again");
  expect(runs()).toBe(3);
  expect(text).toThrow("ENOENT");
});
