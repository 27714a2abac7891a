import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "@localharness/workspace/git-files/repository-root";
import { expect, onTestFinished, test } from "vitest";

function place(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "localharness-root-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of ["repo/.git", "repo/a/b", "repo/sub/c", "plain/x", "home/.git", "home/work"]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  writeFileSync(join(root, "repo/sub/.git"), "gitdir: ../.git/modules/sub\n");
  return root;
}

test.each([
  ["repo", "repo"],
  ["repo/a/b", "repo"],
  ["repo/sub/c", "repo/sub"],
  ["plain/x", undefined],
  ["home/work", undefined],
])("the repository of %s is %s", (folder, expected) => {
  const root = place();
  const found = repositoryRoot(join(root, folder), join(root, "home"));
  expect(found).toBe(expected === undefined ? undefined : join(root, expected));
});

test("a folder that contains the home folder is no repository", () => {
  const root = place();
  expect(repositoryRoot(join(root, "repo/a"), join(root, "repo/a/b"))).toBe(undefined);
});

test("nor is one that a link names as the home folder", () => {
  const root = place();
  symlinkSync("home", join(root, "link"));
  expect(repositoryRoot(join(root, "home/work"), join(root, "link"))).toBe(undefined);
  expect(repositoryRoot(join(root, "repo/a"), join(root, "link"))).toBe(join(root, "repo"));
});
