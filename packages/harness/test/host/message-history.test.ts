/** Checks that sent messages are saved privately and found again, whatever else the file contains. */
import { appendFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { expect, onTestFinished, test } from "vitest";
import { historyPath, openMessageHistory } from "../../src/host/message-history.ts";

function open() {
  const state = mkdtempSync(join(tmpdir(), "history-"));
  const journal = createWriteJournal(state);
  onTestFinished(() => {
    journal.close();
    rmSync(state, { recursive: true, force: true });
  });
  const mask = (text: string) => text.replaceAll("sk-secret", "****");
  const history = openMessageHistory(state, "/some/project", mask, journal);
  return { state, history, path: historyPath(state, "/some/project") };
}

test("oldest first, the same twice in a row once, secrets masked, no one else may read it", async () => {
  const { history, path } = open();
  for (const message of ["one", "two\nlines", "two\nlines", "key sk-secret", "  ", "one"])
    await history.remember(message);
  expect(await history.read()).toEqual(["one", "two\nlines", "key ****", "one"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a torn line and what another program wrote are left out, later messages are not", async () => {
  const { history, path } = open();
  await history.remember("before");
  appendFileSync(path, '"torn of');
  await history.remember("after");
  appendFileSync(path, '\0\0\n{"no": "text"}\n');
  expect(await history.read()).toEqual(["before", "after"]);
});

test("the file does not grow for ever", async () => {
  const { history, path } = open();
  const long = "x".repeat(19_000);
  for (let index = 0; index < 130; index += 1) await history.remember(`${index} ${long}`);
  expect(statSync(path).size).toBeLessThan(4 * 1024 * 1024);
  const read = await history.read();
  expect([read.length, read.at(-1)]).toEqual([100, `129 ${long}`]);
  await history.remember("y".repeat(20_001));
  expect((await history.read()).at(-1)).toBe(`129 ${long}`);
});

test("without a folder nothing is kept and nothing fails", async () => {
  const { state } = open();
  const journal = createWriteJournal(state);
  onTestFinished(() => journal.close());
  const history = openMessageHistory(undefined, "/w", (text) => text, journal);
  await history.remember("one");
  expect(await history.read()).toEqual([]);
});
