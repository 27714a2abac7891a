/** Tests what is removed when the contents kept for undo exceed their limit. */
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { changeLog } from "../../src/changes/change-folder.ts";
import { keepWithin } from "../../src/changes/keep-within.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test("a log is removed with its last content, unless it is newer or belongs to the current session", async () => {
  const root = temporaryFolder();
  const session = (name: string, logAt: number) => {
    const folder = join(root, "ws", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "0".repeat(64)), "x".repeat(1_000));
    utimesSync(join(folder, "0".repeat(64)), 1_000, 1_000);
    writeFileSync(changeLog(folder), "{}\n");
    utimesSync(changeLog(folder), logAt, logAt);
    return folder;
  };
  const [current, fresh] = [session("current", 500), session("fresh", 2_000)];
  session("old", 500);
  expect(await keepWithin(root, 100, current)).toBe(0);
  expect(readdirSync(join(root, "ws")).toSorted()).toEqual(["current", "fresh"]);
  for (const folder of [current, fresh]) expect(readdirSync(folder)).toEqual(["changes.jsonl"]);
});
