/** A command that begins with `cd FOLDER &&` or `git -C FOLDER` counts as the same command run in the folder. */
import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sharedBench } from "../bench.ts";

const project = sharedBench({}, (bench) => {
  for (const path of ["a.txt", "src/b.txt", "src/deep/c.txt", "nested/d.txt"]) bench.write(path, "x\n");
  symlinkSync("src", join(bench.root, "link"));
  for (const folder of [".", "nested"]) {
    execFileSync("git", ["init", "-q", folder], { cwd: bench.root, stdio: "ignore" });
  }
});

test.each([
  ["cd src && ls", "ls", "src"],
  ["cd src && cat b.txt | wc -l", "cat b.txt | wc -l", "src"],
  ["cd src && cd deep && cat c.txt", "cat c.txt", "src/deep"],
  ["cd ./src/ && git status --short", "git status --short", "src"],
  ["cd . && ls", "ls", "."],
  ["cd src && npm test", "npm test", "src"],
  ["git -C src status", "git status", "src"],
  ["git -C src/deep log --oneline", "git log --oneline", "src/deep"],
  ["git -C src add b.txt", "git add b.txt", "src"],
])("%s is %s in %s", async (command, same, folder) => {
  const bench = await project();
  const facts = await bench.examine("bash", { command });
  const there = await bench.examine("bash", { command: same, cwd: folder });
  expect({ ...facts, command: undefined }).toEqual({ ...there, command: undefined });
  expect(facts.command?.calls).toEqual(there.command?.calls);
  expect(facts.command?.text).toBe(command);
  expect(facts.command?.hidden).toContainEqual(
    command.split(" ").slice(0, command.startsWith("cd") ? 2 : 99),
  );
});

test.each([
  "cd src && ls; rm a.txt",
  "cd src && ls || rm a.txt",
  "cd src && ls & rm a.txt",
  "cd src; ls",
  "cd link && ls",
  "cd src/.. && ls",
  "cd .. && ls",
  "cd missing && ls",
  "cd nested && ls",
  "cd $X && ls",
  "cd .git && ls",
  "git -C nested status",
])("%s is examined as it stands", async (command) => {
  const facts = await (await project()).examine("bash", { command });
  expect(facts.command?.calls?.some(([name]) => name === "ls") === true).toBe(false);
  expect(facts.readOnly).toBe(false);
});

test("git in a folder of the repository is not elsewhere", async () => {
  const bench = await project();
  const reasons = async (command: string) => (await bench.examine("bash", { command })).concerns ?? [];
  expect(await reasons("git -C src log | head")).toEqual([]);
  expect(await reasons("git -C src commit -m x && git -C src/deep status")).toEqual([]);
  expect((await reasons("git -C ../outside log | head")).map(({ id }) => id)).toContain("git-elsewhere");
  expect((await reasons("git -C missing log | head")).map(({ id }) => id)).toContain("git-elsewhere");
});
