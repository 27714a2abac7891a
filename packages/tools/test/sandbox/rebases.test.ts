/** Who began a rebase is known to later sessions. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRebases } from "../../src/sandbox/rebases.ts";
import { temporaryFolder } from "../bench.ts";

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
