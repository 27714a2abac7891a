/** Reads the indexes that git itself writes, in each of its forms. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { submodulePaths } from "../../src/git-files/submodules.ts";

test.each([2, 3, 4])("submodules in an index of version %d", (version) => {
  const folder = mkdtempSync(join(tmpdir(), "lh-index-"));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "pipe" });
  git("init", "-q", ".");
  mkdirSync(join(folder, "dir"));
  const names = ["a", "dir/abc", "dir/abd", `dir/${"x".repeat(200)}`, "é"];
  for (const name of names) writeFileSync(join(folder, name), name);
  git("add", "-N", "a");
  git("add", "dir", "é");
  const commit = "1".repeat(40);
  for (const path of ["dir/abcd", "sub", "z/é"])
    git("update-index", "--add", "--cacheinfo", `160000,${commit},${path}`);
  git("update-index", "--index-version", String(version));
  const index = readFileSync(join(folder, ".git/index"));
  expect(index.readUInt32BE(4)).toBe(version === 2 ? 3 : version);
  expect(submodulePaths(index, 20)).toEqual(["dir/abcd", "sub", "z/é"]);
  expect(submodulePaths(index.subarray(0, 40), 20)).toBeUndefined();
  rmSync(folder, { recursive: true, force: true });
});
