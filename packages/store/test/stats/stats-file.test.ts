import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { describe, expect, test } from "vitest";
import { noCounts } from "../../src/stats/ladder-counts.ts";
import {
  addStats,
  type ModelStats,
  readStats,
  readStatsText,
  statsPath,
  writeStatsText,
} from "../../src/stats/stats-file.ts";

async function place() {
  const folder = join(await mkdtemp(join(tmpdir(), "lh-stats-")), "localharness");
  const journal = createWriteJournal(await mkdtemp(join(tmpdir(), "lh-state-")));
  return { folder, path: statsPath(folder), add: (run: ModelStats) => addStats(folder, run, journal) };
}

const run = (model: string, counts: object): ModelStats => ({
  provider: "ollama",
  model,
  counts: { ...noCounts, ...counts },
});

describe("the counts of all runs", () => {
  test("add up per provider and model, in a private file", async () => {
    const { folder, path, add } = await place();
    expect(await readStats(folder)).toEqual([]);
    await add(run("a", { native: 2 }));
    await add(run("__proto__", { fromText: 1 }));
    await add(run("a", { native: 1, turns: 3 }));
    await add({ ...run("a", { native: 7 }), provider: "vllm" });
    expect(await readStats(folder)).toEqual([
      run("a", { native: 3, turns: 3 }),
      run("__proto__", { fromText: 1 }),
      { ...run("a", { native: 7 }), provider: "vllm" },
    ]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["model-stats.json"]);
  });

  test("ten processes that add at once lose nothing", async () => {
    const { folder } = await place();
    const program = join(import.meta.dirname, "../fixtures/add-stats.ts");
    const children = Array.from({ length: 10 }, (_, number) =>
      spawn(process.execPath, [program, folder, `m${number % 2}`, "3"], { stdio: "inherit" }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    expect(codes).toEqual(codes.map(() => 0));
    const counted = await readStats(folder);
    expect(counted.map((row) => [row.model, row.counts.native]).toSorted()).toEqual([
      ["m0", 15],
      ["m1", 15],
    ]);
  });

  test("a damaged file is named to who asks, kept aside by who adds", async () => {
    const { folder, path, add } = await place();
    await mkdir(folder, { recursive: true });
    await writeFile(path, '{"version": 1, "mod');
    await expect(readStats(folder)).rejects.toThrow(/model-stats.json is damaged \(line 1/);
    await add(run("a", { native: 1 }));
    expect(await readStats(folder)).toEqual([run("a", { native: 1 })]);
    const aside = (await readdir(folder)).filter((name) => name.includes(".broken-"));
    expect(await readFile(join(dirname(path), aside[0] ?? ""), "utf8")).toBe('{"version": 1, "mod');
  });

  test("a file of a later version is left as it is", async () => {
    const { folder, path, add } = await place();
    await mkdir(folder, { recursive: true });
    await writeFile(path, '{"version": 2}');
    await expect(add(run("a", { native: 1 }))).rejects.toThrow(/later version \(2, this one knows 1\)/);
    await expect(readStats(folder)).rejects.toThrow(/later version/);
    expect(await readFile(path, "utf8")).toBe('{"version": 2}');
  });
});

test.each([
  ["no object", "[]", /expected an object/],
  ["no version", "{}", /expected "version": 1/],
  ["a row without a model", '{"version":1,"models":[{"provider":"p"}]}', /row 1 of "models"/],
  [
    "a count that is none",
    '{"version":1,"models":[{"provider":"p","model":"m","native":-1}]}',
    /row 1 of "models"/,
  ],
])("text with %s is damaged", (_title, text, problem) => {
  expect(readStatsText(text)).toEqual({ kind: "broken", problem: expect.stringMatching(problem) });
});

test("a row that lacks a count has none of it", () => {
  const text = '{"version":1,"models":[{"provider":"ollama","model":"m","native":4}]}';
  expect(readStatsText(text)).toEqual({ kind: "value", value: [run("m", { native: 4 })] });
  expect(readStatsText(writeStatsText([run("m", { coerced: 2 })]))).toEqual({
    kind: "value",
    value: [run("m", { coerced: 2 })],
  });
});
