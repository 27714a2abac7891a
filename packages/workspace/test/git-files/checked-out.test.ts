/** Tests that branch and commit read from git's files equal those that git reports. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readBranch, readCommit } from "../../src/git-files/checked-out.ts";
import { temporaryFolder } from "../temporary-folder.ts";

function git(folder: string, ...args: readonly string[]): string {
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
  return execFileSync("git", [...who, ...args], { cwd: folder, encoding: "utf8", stdio: "pipe" }).trim();
}

test.each<[string, (root: string) => string]>([
  ["a branch", (root) => root],
  ["a folder below", (root) => mkdirSync(join(root, "a/b"), { recursive: true }) ?? root],
  [
    "a branch with a slash whose commit is packed",
    (root) => git(root, "checkout", "-qb", "a/ü") || git(root, "pack-refs", "--all") || root,
  ],
  ["no branch", (root) => git(root, "checkout", "-q", "--detach") || root],
  [
    "a linked worktree",
    (root) => git(root, "worktree", "add", "-q", "tree", "-b", "x") || join(root, "tree"),
  ],
  ["a repository elsewhere", (root) => git(root, "init", "-q", "--separate-git-dir", `${root}.git`) || root],
])("%s", (_what, change) => {
  const root = join(temporaryFolder(), "ws");
  mkdirSync(root);
  git(root, "init", "-qb", "main");
  git(root, "commit", "-qm", "one", "--allow-empty");
  const folder = change(root);
  const commit = git(folder, "rev-parse", "HEAD");
  expect(readBranch(folder)).toBe(git(folder, "branch", "--show-current") || commit.slice(0, 8));
  if (folder === git(folder, "rev-parse", "--show-toplevel")) expect(readCommit(folder)).toContain(commit);
});

test.each<[string, (git: string) => unknown]>([
  ["nothing", () => undefined],
  ["a pipe in the place of .git", (marker) => execFileSync("mkfifo", [marker])],
  [
    "a pipe in the place of HEAD",
    (marker) => mkdirSync(marker) ?? execFileSync("mkfifo", [`${marker}/HEAD`]),
  ],
  ["a device", (marker) => symlinkSync("/dev/zero", marker)],
  ["a HEAD of several lines", (marker) => mkdirSync(marker) ?? writeFileSync(`${marker}/HEAD`, "a\nb\n")],
  [
    "a HEAD that is too long",
    (marker) => mkdirSync(marker) ?? writeFileSync(`${marker}/HEAD`, "a".repeat(5_000)),
  ],
])("%s tells of nothing checked out", (_what, make) => {
  const root = temporaryFolder();
  make(join(root, ".git"));
  expect([readBranch(root), readCommit(root)]).toEqual([undefined, ""]);
});
