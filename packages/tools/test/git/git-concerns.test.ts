import fs, { mkdirSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { lookAtGit } from "@localharness/commands/git/git-concerns";
import { expect, test } from "vitest";
import { type Bench, openBench, writeRepository } from "../bench.ts";

async function repository(config: string, hook?: string): Promise<Bench> {
  const bench = await openBench();
  writeRepository(bench, config);
  if (hook !== undefined) {
    bench.write(`.git/hooks/${hook}`, "#!/bin/sh\n");
  }
  return bench;
}

const look = (bench: Bench, command: string, folders: readonly string[] = ["."]) =>
  lookAtGit(bench.resources.workspace, [command.split(" ")], folders);

test.each<[string, string | undefined, string, number]>([
  ["[core]\n\tbare = false\n", undefined, "git push", 0],
  ["[core]\n\thooksPath = .husky/_\n", undefined, "git status", 0],
  ["[core]\n\thooksPath = .husky/_\n", undefined, "git add .", 0],
  ["[core]\n\thooksPath = .husky/_\n", undefined, "git commit -m x", 1],
  ["", "pre-push", "git log", 0],
  ["", "pre-push", "git push", 1],
  ["", "post-index-change", "git add .", 1],
  ["", "reference-transaction", "git reset", 1],
  ['[filter "x"]\n\tclean = y\n', undefined, "git status", 1],
  ['[filter "x"]\n\tclean = y\n', undefined, "/usr/bin/git add .", 1],
  ["[core]\n\tsshCommand = x\n", undefined, "git log", 0],
  ["[core]\n\tsshCommand = x\n", undefined, "git fetch", 1],
  ["[core]\n\tsshCommand = x\n", undefined, "git ls-remote origin", 1],
  ['[tar "x"]\n\tcommand = y\n', undefined, "git archive --format=x HEAD", 1],
  ["[core]\n\teditor = x\n", undefined, "git config user.name x", 0],
  ["[core]\n\teditor = x\n", undefined, "git config --edit", 1],
  ["[core]\n\teditor = x\n", undefined, "git notes edit", 1],
  ["[core]\n\teditor = x\n", undefined, "git add -e", 1],
  ['[merge "x"]\n\tdriver = y\n', undefined, "git apply -3 p", 1],
  ['[merge "x"]\n\tdriver = y\n', undefined, "git apply p", 0],
  ["[alias]\n\tst = !x\n", undefined, "git status", 0],
  ["[alias]\n\tst = !x\n", undefined, "git st", 1],
  ["[core\n", undefined, "git status", 1],
  ["", undefined, "git --git-dir=x status", 1],
  ["", undefined, "git -C missing status", 1],
  ["", undefined, "git -C / status", 1],
  ["", undefined, "git -c a=b -C . --no-pager status", 0],
])("%j and hook %s: %s has %d concerns", async (config, hook, command, count) => {
  expect(look(await repository(config, hook), command)?.concerns).toHaveLength(count);
});

test("other programs are no matter of git", async () => {
  expect(look(await repository(""), "ls git")).toBeUndefined();
});

test("looks at every folder in which the command may run", async () => {
  const bench = await repository("");
  writeRepository(bench, "[diff]\n\texternal = x\n", "sub/");
  expect(look(bench, "git status", ["."])?.concerns).toEqual([]);
  expect(look(bench, "git status", [".", "sub"])?.concerns).toHaveLength(1);
  expect(look(bench, "git -C sub status")?.concerns).toHaveLength(1);
});

test("a repository above the workspace is more than may be looked at", async () => {
  const bench = await openBench();
  expect(look(bench, "git status")?.inRepository).toBe(false);
  mkdirSync(join(dirname(bench.root), ".git"));
  expect(look(bench, "git status")?.inRepository).toBe(false);
  writeRepository(bench, "");
  expect(look(bench, "git status")?.inRepository).toBe(true);
});

test("however often git is called, its repository is looked into once", async () => {
  const bench = await repository("");
  bench.write("sub/a", "");
  const foldersRead = (calls: number, folders: readonly string[]) => {
    const { readdirSync } = fs;
    let count = 0;
    fs.readdirSync = ((...args: Parameters<typeof readdirSync>) => {
      count += 1;
      return readdirSync(...args);
    }) as typeof readdirSync;
    syncBuiltinESMExports();
    lookAtGit(bench.resources.workspace, Array(calls).fill(["git", "status"]), folders);
    fs.readdirSync = readdirSync;
    syncBuiltinESMExports();
    return count;
  };
  const once = foldersRead(1, ["."]);
  expect(once).toBeGreaterThan(0);
  expect(foldersRead(100, [".", "sub"])).toBe(once);
});
