/** Who began a rebase is known to later sessions. */
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asOtherUser } from "../../../workspace/test/as-other-user.ts";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { createRebases } from "../../src/sandbox/rebases.ts";

function prepared() {
  const folder = temporaryFolder();
  const state = join(folder, "state");
  const path = join(folder, "rebase-merge");
  mkdirSync(state);
  const begin = (todo: string) => {
    mkdirSync(path);
    writeFileSync(join(path, "git-rebase-todo"), todo);
  };
  /** Does `work` as a command of a new session; returns true if the command may write the rebase. */
  const command = (work: () => void = () => {}) => {
    const watched = createRebases(state).watch([path]);
    work();
    watched.done();
    return watched.has(path);
  };
  return { folder, state, path, begin, command };
}

test("a later session may continue a rebase that a command began", () => {
  const { begin, command, path } = prepared();
  command(() => begin("pick abc one\n"));
  expect(command()).toBe(true);
  command(() => rmSync(path, { recursive: true }));
  begin("pick abc one\n");
  expect(command()).toBe(false);
});

test("a rebase of the person at its place is closed", () => {
  const { begin, command, path } = prepared();
  command(() => begin("pick abc one\n"));
  renameSync(path, `${path}.before`);
  begin("pick abc one\n");
  expect(command()).toBe(false);
});

test("a later session that adds a command to it has it moved aside", () => {
  const { begin, command, path, folder } = prepared();
  command(() => begin("pick abc one\n"));
  command(() => writeFileSync(join(path, "git-rebase-todo"), "exec touch PWNED\n"));
  expect(readdirSync(folder)).toContain("rebase-merge.moved-1");
});

test.each(["", "[", "[1]", '{"a":1}'])("with the record %j every rebase is closed", (text) => {
  const { begin, command, state } = prepared();
  writeFileSync(join(state, "rebases.json"), text);
  begin("pick abc one\n");
  expect(command()).toBe(false);
});

test.each<[string, number, string]>([
  ["the repository read-only", 0o555, ".git"],
  ["the repository unreadable", 0, ".git"],
  ["a folder above unreadable", 0, "."],
  ["the rebase unreadable", 0, ".git/rebase-merge"],
  ["its commands unreadable", 0, ".git/rebase-merge/git-rebase-todo"],
])("a command cannot keep its commands there by making %s", (_what, mode, closed) => {
  const folder = temporaryFolder();
  const repository = join(folder, "work/.git");
  mkdirSync(repository, { recursive: true });
  asOtherUser([folder], () => {
    const path = join(repository, "rebase-merge");
    const watched = createRebases(folder).watch([path]);
    mkdirSync(path);
    writeFileSync(join(path, "git-rebase-todo"), "exec touch PWNED\n");
    chmodSync(join(folder, "work", closed), mode);
    watched.done();
  });
  expect(readdirSync(repository)).toEqual(["rebase-merge.moved-1"]);
});

test("a rebase that cannot be looked at leaves the others no longer than the command", () => {
  const { state, folder, path, begin } = prepared();
  const inner = join(folder, "sub/.git/rebase-merge");
  mkdirSync(join(folder, "sub/.git"), { recursive: true });
  const watched = createRebases(state).watch([inner, path]);
  begin("exec touch PWNED\n");
  rmSync(join(folder, "sub"), { recursive: true });
  symlinkSync("sub", join(folder, "sub"));
  expect(() => watched.done()).toThrow("ELOOP");
  expect(readdirSync(folder)).toContain("rebase-merge.moved-1");
});

test("no rebase is where a file is in place of the repository", () => {
  const { state, folder } = prepared();
  writeFileSync(join(folder, ".git"), "gitdir: ../x\n");
  const watched = createRebases(state).watch([join(folder, ".git/rebase-merge")]);
  expect(() => watched.done()).not.toThrow();
});

describe.each<[folder: string, file: string, harmless: readonly string[], dangerous: readonly string[]]>([
  [
    "sequencer",
    "opts",
    [
      "[options]\n\tsignoff = true\n\tedit = false\n",
      "[options]\n\tstrategy = ort\n\tstrategy-option = ours\n",
      "",
    ],
    [
      "[options]\n\tstrategy = ../../x\n",
      "[options]\n\tgpg-sign = x\n",
      "[core]\n\tpager = touch x\n",
      "[options]\n\tnew-option = x\n",
      "[options\n",
    ],
  ],
  [
    "rebase-apply",
    "apply-opt",
    ["", " '-p2' '--whitespace=fix'\n", " '-C1'"],
    [" '--unsafe-paths'\n", " '--directory=..'\n", " '-p1' '--build-fake-ancestor=x'"],
  ],
])("in %s", (name, file, harmless, dangerous) => {
  const left = (content: string) => {
    const folder = temporaryFolder();
    const path = join(folder, name);
    mkdirSync(join(folder, "state"));
    const watched = createRebases(join(folder, "state")).watch([path]);
    mkdirSync(path);
    writeFileSync(join(path, file), content);
    watched.done();
    return readdirSync(folder).filter((one) => one.startsWith(name));
  };
  test.each(harmless)("%j stays", (content) => expect(left(content)).toEqual([name]));
  test.each(dangerous)("%j is moved aside", (content) => expect(left(content)).toEqual([`${name}.moved-1`]));
});
