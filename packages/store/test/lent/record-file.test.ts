/** Checks that the person learns of a file of records that cannot be used. */
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { expect, test } from "vitest";
import { type LentPlace, placeKind } from "../../src/lent/machines.ts";
import { openRecordFile, type RecordFile } from "../../src/lent/record-file.ts";

const place: LentPlace = { name: "box", url: "ws://box:1", token: "t" };
const list = (places: RecordFile<LentPlace>) => places.list();
const add = (places: RecordFile<LentPlace>) => places.change((all) => [...all, place]);

test.each([
  ["listed", list],
  ["changed", add],
])("a damaged file is put aside when it is %s, and the person is told once", async (_how, use) => {
  const folder = mkdtempSync(join(tmpdir(), "lh-lent-"));
  writeFileSync(join(folder, "elsewhere.json"), '{"version": 1, "items": [');
  const told: string[] = [];
  const places = openRecordFile(folder, placeKind, createWriteJournal(folder), (warning) =>
    told.push(warning),
  );
  expect(await use(places)).toEqual([]);
  const aside = readdirSync(folder).find((name) => name.startsWith("elsewhere.json.broken-"));
  expect(told).toEqual([
    expect.stringMatching(/elsewhere\.json is damaged .*folders of other machines start/),
  ]);
  expect(told[0]).toContain(aside);
  await places.list();
  expect(told).toHaveLength(1);
});

test("a file of a later version is told of once, however often it is listed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lh-lent-"));
  writeFileSync(join(folder, "elsewhere.json"), '{"version": 2, "items": []}');
  const told: string[] = [];
  const places = openRecordFile(folder, placeKind, createWriteJournal(folder), (warning) =>
    told.push(warning),
  );
  for (let time = 0; time < 3; time += 1) expect(await places.list()).toEqual([]);
  expect(told).toEqual([expect.stringContaining("was written by a later version")]);
  await expect(add(places)).rejects.toThrow("was written by a later version");
  expect(told).toHaveLength(1);
});
