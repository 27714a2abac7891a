import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asOtherUser } from "../../../workspace/test/as-other-user.ts";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { createOutputFolder, sweepOutputs } from "../../src/children/create-output-folder.ts";
import { closeOutput } from "../../src/children/output-folder.ts";

test("opens only its own files, and removes them at the end", async () => {
  const state = temporaryFolder();
  const folder = createOutputFolder(state);
  expect(readdirSync(state)).toEqual([]);
  const file = folder.create();
  writeFileSync(file.descriptor, "whole");
  closeOutput(file);
  writeFileSync(join(state, "other"), "x");
  expect([file.path, join(state, "other"), "/etc/passwd"].map((path) => folder.owns(path))).toEqual([
    true,
    false,
    false,
  ]);
  const opened = folder.open(file.path);
  expect(opened.ok).toBe(true);
  if (opened.ok) {
    using held = opened.value;
    expect((await held.read(100)).toString()).toBe("whole");
  }
  folder.close();
  expect(existsSync(file.path)).toBe(false);
  expect(folder.open(file.path)).toMatchObject({ ok: false, errorType: "not_found" });
});

test("the next start removes the leftovers of a killed session", () => {
  const state = temporaryFolder();
  mkdirSync(join(state, "outputs-999999999-1"));
  writeFileSync(join(state, "outputs-999999999-1", "output-1.txt"), "x");
  const mine = createOutputFolder(state);
  closeOutput(mine.create());
  sweepOutputs(state);
  expect(readdirSync(state)).toHaveLength(1);
  mine.close();
  expect(readdirSync(state)).toEqual([]);
});

test("outputs that cannot be removed stay, and the others go", () => {
  const state = temporaryFolder();
  const [locked, open] = [join(state, "outputs-999999998-1"), join(state, "outputs-999999999-1")];
  for (const folder of [locked, open]) {
    mkdirSync(folder);
    writeFileSync(join(folder, "output-1.txt"), "x");
  }
  chmodSync(locked, 0o555);
  asOtherUser([state], () => sweepOutputs(state));
  expect([existsSync(locked), existsSync(open)]).toEqual([true, false]);
  chmodSync(locked, 0o755);
});
