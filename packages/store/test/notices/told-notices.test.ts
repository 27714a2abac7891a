import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { expect, test } from "vitest";
import { newNotices } from "../../src/notices/told-notices.ts";

async function place() {
  const folder = join(await mkdtemp(join(tmpdir(), "lh-told-")), "localharness");
  const journal = createWriteJournal(await mkdtemp(join(tmpdir(), "lh-state-")));
  const tell = (workspace: string, ...notices: string[]) => newNotices(folder, workspace, notices, journal);
  return { tell, path: join(folder, "told-notices.json"), journal };
}

test("a notice is new once in each folder, and again when its text changed", async () => {
  const { tell, path } = await place();
  expect(await tell("/a", "one", "two")).toEqual(["one", "two"]);
  expect(await tell("/a", "one", "three")).toEqual(["three"]);
  expect(await tell("/b", "one")).toEqual(["one"]);
  expect(await tell("/a", "one", "two", "three")).toEqual([]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, "utf8")).not.toContain("/a");
});

test("the file does not grow without end", async () => {
  const { tell, path } = await place();
  await tell("/a", ...Array.from({ length: 5_000 }, (_, number) => `notice ${number}`));
  expect((await stat(path)).size).toBeLessThan(2_000);
  expect(await tell("/a", "notice 4999", "notice 0")).toEqual(["notice 0"]);
  const folders = Array.from({ length: 500 }, (_, number) => ({ folder: `f${number}`, told: [] }));
  await writeFile(path, JSON.stringify({ version: 1, folders }));
  await tell("/b", "one");
  expect(JSON.parse(await readFile(path, "utf8")).folders).toHaveLength(200);
});

test("every notice is new without a home folder, and with a file of a later version", async () => {
  const { tell, path, journal } = await place();
  expect(await newNotices(undefined, "/a", ["one"], journal)).toEqual(["one"]);
  await tell("/a", "one");
  await writeFile(path, '{"version":9}');
  expect(await tell("/a", "one")).toEqual(["one"]);
  expect(await readFile(path, "utf8")).toBe('{"version":9}');
});

test("a damaged file is renamed", async () => {
  const { tell, path } = await place();
  await tell("/a", "one");
  await writeFile(path, "{");
  expect(await tell("/a", "one")).toEqual(["one"]);
  expect(await tell("/a", "one")).toEqual([]);
});
