/** The snapshots of several folders: what becomes of one that was begun when the next one cannot be. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ofFolders } from "@localharness/workspace/snapshots/of-folders";
import type { CommandChanges, Snapshots } from "@localharness/workspace/snapshots/snapshots";
import { expect, test } from "vitest";
import { openBench } from "../bench.ts";

test.each([
  ["and the command does not run, no folder takes changes for those of the command", "LIB/a", true],
  ["that the command need not keep, the command runs and takes the changes of the others", "a", false],
])("if a folder cannot be kept %s", async (_, needed, ends) => {
  const { resources, root } = await openBench();
  const lib = join(root, "../lib");
  mkdirSync(lib);
  resources.added.add({ root: lib, trusted: true, writable: true });
  const ended: string[] = [];
  const begun = (name: string): CommandChanges => ({
    record: async () => [],
    leaveOut: async () => undefined,
    leaveToJob: async () => undefined,
    end: () => void ended.push(name),
  });
  const open = (folder: string): Snapshots => ({
    keeping: true,
    covers: async () => true,
    before: async () => {
      if (folder === lib) throw new Error("the disk is full");
      return begun(folder);
    },
    close: () => undefined,
  });
  const { workspace, changes } = resources;
  const path = needed.replace("LIB", lib);
  const before = ofFolders({ workspace, changes, open }).before({}, [{ path }]);
  if (ends) await expect(before).rejects.toThrow("the disk is full");
  else
    expect(await (await before)?.record()).toEqual([
      expect.stringMatching(/lib cannot be undone: the disk is full/),
    ]);
  expect(ended).toEqual(ends ? [root] : []);
});
