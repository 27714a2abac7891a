/** A folder that a command has closed hides what is in it from a snapshot, and nothing else. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openContentPacks } from "../../src/snapshots/content-packs.ts";
import { isCovered } from "../../src/snapshots/covers.ts";
import { createFolderTree } from "../../src/snapshots/folder-tree.ts";
import { asOtherUser } from "../as-other-user.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test.each([
  ["that can only be listed", 0o444],
  ["without any access", 0],
])("a folder %s", (_what, mode) => {
  const root = temporaryFolder();
  mkdirSync(join(root, "closed/deep"), { recursive: true });
  for (const name of ["closed/a", "closed/.gitignore", "z"]) writeFileSync(join(root, name), "x");
  const seen: string[] = [];
  const tree = createFolderTree(root, 100);
  asOtherUser([root], () => {
    chmodSync(join(root, "closed"), mode);
    const whole = tree.walk({ prefix: "", files: [], text: "" }, (path) => seen.push(path));
    expect(whole).toBe(false);
    const limits = { fileBytes: 100, turnBytes: 100, turnEntries: 10, totalBytes: 1000 };
    const room = { limits, secrets: [], use: { bytes: 0, entries: 0 } };
    const packs = openContentPacks(root, 1000);
    const parts = { root, tree, index: new Map(), packs, room };
    expect(isCovered(parts, [{ path: "closed/a" }])).toBe(false);
    chmodSync(join(root, "closed"), 0o755);
  });
  expect(seen).toEqual(expect.arrayContaining(["closed", "z"]));
});

test("a name that is too long for the system is not covered, and no error", () => {
  const root = temporaryFolder();
  const tree = createFolderTree(root, 100);
  tree.walk({ prefix: "", files: [], text: "" }, () => undefined);
  const limits = { fileBytes: 100, turnBytes: 100, turnEntries: 10, totalBytes: 1000 };
  const room = { limits, secrets: [], use: { bytes: 0, entries: 0 } };
  const packs = openContentPacks(root, 1000);
  expect(isCovered({ root, tree, index: new Map(), packs, room }, [{ path: "x".repeat(300) }])).toBe(false);
});
