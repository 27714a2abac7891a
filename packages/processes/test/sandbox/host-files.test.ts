import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createHostFiles, sweepHostFiles } from "../../src/sandbox/host-files.ts";

let state = "";
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "lh-host-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

test("the same text is written once, and another text to another file", () => {
  const files = createHostFiles(state);
  const path = files.write("a", "one");
  expect(files.write("a", "one")).toBe(path);
  expect(files.write("a", "two")).not.toBe(path);
  expect(readFileSync(path, "utf8")).toBe("one");
  files.close();
  expect(existsSync(files.folder)).toBe(false);
});

test("a link at the name is an error, and its target stays as it is", () => {
  const mine = join(state, "mine");
  writeFileSync(mine, "mine\n");
  const files = createHostFiles(state);
  const name = files.write("c", "x").split("/").at(-1) ?? "";
  const planted = createHostFiles(state);
  symlinkSync(mine, join(planted.folder, name));
  expect(() => planted.write("c", "x")).toThrow(/EEXIST|ELOOP/);
  expect(readFileSync(mine, "utf8")).toBe("mine\n");
});

test("folders of processes that have ended are removed, and no others", () => {
  const files = createHostFiles(state);
  const parent = join(state, "sandbox-files");
  for (const name of ["shown-999999999-1-abc", "shown-x", "other"]) mkdirSync(join(parent, name));
  sweepHostFiles(state);
  expect(readdirSync(parent).sort()).toEqual(["other", files.folder.split("/").at(-1), "shown-x"].sort());
});
