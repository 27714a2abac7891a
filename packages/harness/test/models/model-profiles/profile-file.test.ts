import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SelectedModel } from "@localharness/models";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  findTried,
  keepProfiles,
  keepTried,
  openRecall,
  readTried,
} from "../../../src/models/model-profiles/profile-file.ts";

const day = 24 * 3_600_000;
const now = 1_000 * day;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "profiles-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function selected(name: string, ...learnt: readonly string[]): SelectedModel {
  return {
    model: { name },
    provider: "llamacpp",
    baseUrl: "http://me:secret@127.0.0.1:8080/v1",
    profile: { learnt: () => learnt },
  } as unknown as SelectedModel;
}

const keep = (models: readonly SelectedModel[], at = now) =>
  keepProfiles(folder, models, createWriteJournal(folder), at);
const recall = async (name: string, at = now) =>
  (await openRecall(folder, at))("llamacpp", "http://127.0.0.1:8080/v1", name);

test("what was learnt of a model is recalled for seven days, and no password is kept", async () => {
  await keep([selected("a", "no-tools"), selected("b")]);
  expect(await recall("a", now + 6 * day)).toEqual(["no-tools"]);
  expect(await recall("b")).toEqual([]);
  expect(await recall("a", now + 7 * day)).toEqual([]);
  expect(readFileSync(join(folder, "model-profiles.json"), "utf8")).not.toContain("secret");
});

test("the time counts from when something new was learnt", async () => {
  await keep([selected("a", "no-tools")]);
  await keep([selected("a", "no-tools")], now + 5 * day);
  expect(await recall("a", now + 8 * day)).toEqual([]);
  await keep([selected("a", "no-tools", "no-thoughts")], now + 5 * day);
  expect(await recall("a", now + 8 * day)).toEqual(["no-tools", "no-thoughts"]);
});

test.each([
  ["no file at all", undefined],
  ["no JSON", "{"],
  ["another shape", '{"version":1,"models":{}}'],
  ["a later version", '{"version":2,"models":[]}'],
  ["rows of another shape", '{"version":1,"models":[1,{"provider":2}]}'],
])("nothing is recalled from %s", async (_, text) => {
  if (text !== undefined) writeFileSync(join(folder, "model-profiles.json"), text);
  expect(await recall("a")).toEqual([]);
});

test("a new trial replaces the findings about the same model under another provider or spelling", async () => {
  const journal = createWriteJournal(folder);
  const address = "http://127.0.0.1:8080/v1";
  const keepAs = (provider: string, model: string, window: number) =>
    keepTried(folder, { provider, address, model }, { tuning: { window }, triedAt: now }, journal);
  await keep([selected("a", "no-tools")]);
  await keepAs("llamacpp", "a", 8_192);
  await keepAs("custom", "a:latest", 4_096);
  expect(await findTried(folder, { baseUrl: address, model: selected("a").model })).toMatchObject({
    tuning: { window: 4_096 },
  });
  expect(await readTried(folder)).toHaveLength(1);
  expect(await recall("a")).toEqual(["no-tools"]);
});

test("a file of a later version is left as it is", async () => {
  const text = '{"version":2,"models":[]}';
  writeFileSync(join(folder, "model-profiles.json"), text);
  await keep([selected("a", "no-tools")]);
  expect(readFileSync(join(folder, "model-profiles.json"), "utf8")).toBe(text);
});

test("without a folder nothing is kept or recalled", async () => {
  await keepProfiles(undefined, [selected("a", "no-tools")], createWriteJournal(folder), now);
  expect((await openRecall(undefined, now))("llamacpp", "", "a")).toEqual([]);
});
