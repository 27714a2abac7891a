/** The paths of an index of git are read as git lists them. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readTrackedPaths } from "../../src/snapshots/tracked-paths.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const names = [
  "a",
  "a/b.txt".replace("a/", "dir/"),
  "dir/b.txt2",
  "dir/deep/er/x",
  "ümläut",
  "1234567",
  "12345678",
  "with space",
  ".env",
  "z".repeat(200),
];

test.each(["2", "3", "4"])("version %s", (version) => {
  const folder = temporaryFolder();
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" });
  git("init", "-q");
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name);
  }
  git("add", "-A");
  // An entry with more flags makes version 3.
  if (version !== "2") git("update-index", "--skip-worktree", "dir/b.txt");
  git("update-index", "--index-version", version);
  const listed = git("ls-files", "-z")
    .split("\0")
    .filter((name) => name !== "");
  expect(readTrackedPaths(join(folder, ".git/index"))).toEqual(listed);
  expect(listed).toHaveLength(names.length);
});

test.each([
  ["nothing", undefined],
  ["no index", "this is a text, and no index of any version"],
  ["half an index", "DIRC\0\0\0\u0002\0\0\0\u0005"],
])("%s gives no paths", (_, content) => {
  const path = join(temporaryFolder(), "index");
  if (content !== undefined) writeFileSync(path, content, "latin1");
  expect(readTrackedPaths(path)).toEqual([]);
});
