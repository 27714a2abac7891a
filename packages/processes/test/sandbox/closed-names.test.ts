import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { protectedName } from "@localharness/workspace/paths/protected";
import { expect, test } from "vitest";
import { closedNames, gitNames, runtimeNames } from "../../src/sandbox/closed-names.ts";
import { nestedNames } from "../../src/sandbox/nested-names.ts";

function folder(...files: string[]): string {
  const root = mkdtempSync(join(tmpdir(), "lh-closed-"));
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "x");
  }
  return root;
}

test("protected names are closed, whether they exist or not", () => {
  const closed = closedNames(folder(".YARNRC.lock", ".bashrc", "a.txt"));
  expect(closed.filter((name) => protectedName(name) === undefined)).toEqual([".cargo"]);
  expect(closed).toEqual(expect.arrayContaining([".npmrc", ".zed", ".YARNRC.lock", ".bashrc"]));
  expect(closed).not.toContain(".zshrc");
  expect(closedNames(folder(".cargo/x"))).toContain(".cargo/config.toml");
  // Like the placeholder of another process.
  expect(closedNames(folder(".cargo"))).toEqual(expect.arrayContaining([".cargo"]));
  expect(closedNames(folder(".cargo"))).not.toContain(".cargo/config.toml");
});

test.each<[string, string, readonly string[]]>([
  ["the workspace", "/w", [".bashrc", ".claude"]],
  ["a folder in it", "/w/a/b", ["a/b/.bashrc", "a/b/.claude"]],
  ["a folder in it whose name begins with dots", "/w/..a", ["..a/.bashrc"]],
  ["a folder beside it", "/ws", []],
  ["the one above", "/", []],
])("started in %s, what the runtime closes there is closed", (_title, startedIn, names) => {
  const closed = runtimeNames("/w", startedIn);
  expect(closed).toEqual(expect.arrayContaining([...names]));
  expect(closed.length > 0).toBe(names.length > 0);
});

test("a home folder has more closed names", () => {
  expect(closedNames(homedir())).toEqual(expect.arrayContaining([".zshrc", ".netrc"]));
});

test.each<[string, readonly string[], readonly string[]]>([
  ["no repository", [], []],
  ["a file that names one", [".git"], [".git"]],
  [
    "one with worktrees",
    [".git/HEAD", ".git/worktrees/w/HEAD", ".git/objects/info/packs"],
    [
      ...[".git/config", ".git/config.worktree", ".git/commondir", ".git/hooks", ".git/info", ".git/modules"],
      ...[".git/worktrees", ".git/remotes", ".git/branches", ".git/rebase-merge", ".git/rebase-apply"],
      ...[".git/sequencer", ".git/objects/info/alternates"],
    ],
  ],
  [
    "one with parts that nobody knows",
    [
      ".git/svn/x",
      ".git/COMMIT_EDITMSG",
      ".git/ORIG_HEAD",
      ".git/index",
      ".git/gc.log",
      ".git/extra.inc",
      ".git/NOTES",
    ],
    [
      ...[".git/config", ".git/config.worktree", ".git/commondir", ".git/hooks", ".git/info", ".git/modules"],
      ...[".git/worktrees", ".git/remotes", ".git/branches", ".git/rebase-merge", ".git/rebase-apply"],
      ...[".git/sequencer", ".git/NOTES", ".git/extra.inc", ".git/svn"],
    ],
  ],
])("of git, with %s", (_title, files, names) => {
  expect(gitNames(folder(...files), ".git")).toEqual([...names]);
});

test("a link in place of the repository is closed itself", () => {
  const root = folder("e/HEAD");
  symlinkSync("e", join(root, ".git"));
  expect(gitNames(root, ".git")).toEqual([".git"]);
});

test("existing protected names in subfolders are closed, without installed packages", () => {
  const deep = "a/b/c/d/e/f/g/h/";
  const root = folder(
    ...["sub/.envrc", "sub/.vscode/x", "module/.git", "node_modules/x/.npmrc", ".npmrc"],
    ...[`${deep}.envrc`, "nested/.git/HEAD", "bare/HEAD", "bare/objects/x", "bare/refs/y"],
    ...["app/gradle/wrapper/x.jar", "app/vite.config.ts", "app/.storybook/.envrc", "app/.storybook/main.ts"],
  );
  const { names, incomplete } = nestedNames(root);
  expect(incomplete).toBeUndefined();
  expect(names).toEqual(
    expect.arrayContaining(["sub/.envrc", "sub/.vscode", "module/.git", `${deep}.envrc`]),
  );
  expect(names.filter((name) => !/^(?:nested|bare|app)\//.test(name))).toHaveLength(4);
  expect(names.filter((name) => name.startsWith("app/")).toSorted()).toEqual([
    "app/.storybook/.envrc",
    "app/gradle/wrapper",
  ]);
  expect(names).toEqual(expect.arrayContaining(["nested/.git/commondir", "bare/config", "bare/hooks"]));
});

test("more names than can be closed are told", () => {
  const names = Array.from({ length: 601 }, (_, index) => `d${index}/.envrc`);
  const found = nestedNames(folder(...names));
  expect(found.names).toHaveLength(600);
  expect(found.incomplete).toMatch(/more than 600 protected names/);
  const deep = nestedNames(folder(`${"d/".repeat(30)}.envrc`));
  expect(deep).toEqual({ names: [], incomplete: expect.stringMatching(/more than 24 deep/) });
});
