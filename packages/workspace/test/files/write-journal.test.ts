import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processMark } from "../../src/files/process-mark.ts";
import { createWriteJournal, sweepTemporaryFiles } from "../../src/files/write-journal.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** Returns the mark of a process that has ended. */
async function deadMark(): Promise<string> {
  const child = spawn("sleep", ["60"]);
  const mark = processMark(child.pid ?? 0) ?? "";
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  return mark;
}

test("a sweep removes what dead processes left, and only that", async () => {
  const state = temporaryFolder();
  const work = join(temporaryFolder(), "with space\nand line");
  mkdirSync(work);
  const dead = await deadMark();
  const journal = createWriteJournal(state);
  const mine = journal.temporaryName(work, "a.txt");
  const stale = `.a.txt.${dead}-1.lhtmp`;
  for (const name of [mine, stale, `.a.txt.${dead}-1.other`, ".b.txt.99-9-1.lhtmp", "a.txt"]) {
    writeFileSync(join(work, name), "x");
  }
  writeFileSync(
    join(state, `writes-${dead}`),
    `${JSON.stringify(work)}\n${JSON.stringify(join(work, "gone"))}\n"torn`,
  );
  expect(sweepTemporaryFiles(state)).toEqual([join(work, stale)]);
  expect(readdirSync(work).sort()).toEqual(
    [mine, `.a.txt.${dead}-1.other`, ".b.txt.99-9-1.lhtmp", "a.txt"].sort(),
  );
  expect(readdirSync(state)).toEqual([`writes-${processMark(process.pid)}`]);
  journal.close();
  expect(readdirSync(state)).toEqual([]);
});

test("names are new, hidden, and short enough for every file system", () => {
  const journal = createWriteJournal(temporaryFolder());
  const first = journal.temporaryName("/x", `${"ü".repeat(120)}.txt`);
  expect(first).not.toBe(journal.temporaryName("/x", `${"ü".repeat(120)}.txt`));
  expect(first).toMatch(/^\.[\w.-]+\.lhtmp$/);
  expect(Buffer.byteLength(first)).toBeLessThan(256);
});

test("the record is private, and a missing state folder is no reason to fail", () => {
  const state = join(temporaryFolder(), "deep", "state");
  createWriteJournal(state).temporaryName("/x", "a");
  expect(statSync(state).mode & 0o777).toBe(0o700);
  writeFileSync(join(state, "file"), "");
  const journal = createWriteJournal(join(state, "file"));
  expect(journal.temporaryName("/x", "a")).toContain(".a.");
  expect(sweepTemporaryFiles(join(state, "none"))).toEqual([]);
  expect(existsSync("/x")).toBe(false);
});

test.skipIf(process.platform === "win32")("a pipe in place of a record holds no start up", () => {
  const state = temporaryFolder();
  execFileSync("mkfifo", [join(state, "writes-99999999-9")]);
  expect(sweepTemporaryFiles(state)).toEqual([]);
});

test("a record that cannot be removed stays, and the others go", () => {
  const state = temporaryFolder();
  mkdirSync(join(state, "writes-99999998-9"));
  writeFileSync(join(state, "writes-99999999-9"), "");
  expect(sweepTemporaryFiles(state)).toEqual([]);
  expect(readdirSync(state)).toEqual(["writes-99999998-9"]);
});
