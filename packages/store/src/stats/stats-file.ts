/**
 * Keeps the counts of all runs, by provider and model, in `model-stats.json`. Several processes may add to the file.
 */
import { join } from "node:path";
import { configError } from "@localharness/engine";
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import { readJsonSource } from "../json-source.ts";
import { changeKept, type KeptKind, type KeptText, readKept } from "../kept-file/kept-file.ts";
import { addCounts, countNames, type LadderCounts, noCounts } from "./ladder-counts.ts";

const statsVersion = 1;

export interface ModelStats {
  readonly provider: string;
  readonly model: string;
  readonly counts: LadderCounts;
}

export type StatsText = KeptText<readonly ModelStats[]>;

const statsKind: KeptKind<readonly ModelStats[]> = {
  version: statsVersion,
  empty: [],
  contents: "counts",
  durable: false,
  read: readStatsText,
  write: writeStatsText,
};

export function statsPath(folder: string): string {
  return join(folder, "model-stats.json");
}

/** Returns the saved counts. Rejects with a `HarnessError` if the file cannot be used. */
export async function readStats(folder: string): Promise<readonly ModelStats[]> {
  const found = await readKept(statsPath(folder), statsKind);
  if (found.kind !== "value") throw configError(found.problem);
  return found.value;
}

/**
 * Adds the counts of one run. A damaged file is renamed, and counting starts at 0. Rejects with a `HarnessError` if the file
 * cannot be changed, for example because it is from a later version.
 */
export async function addStats(folder: string, run: ModelStats, journal: WriteJournal): Promise<void> {
  await changeKept(statsPath(folder), statsKind, journal, (stats) => withRun(stats, run));
}

function withRun(stats: readonly ModelStats[], run: ModelStats): ModelStats[] {
  const isSame = (one: ModelStats) => one.provider === run.provider && one.model === run.model;
  const before = stats.find(isSame);
  if (before === undefined) return [...stats, run];
  const counts = addCounts(before.counts, run.counts);
  return stats.map((one) => (isSame(one) ? { ...run, counts } : one));
}

export function writeStatsText(stats: readonly ModelStats[]): string {
  const models = stats.map(({ provider, model, counts }) => ({ provider, model, ...counts }));
  return `${JSON.stringify({ version: statsVersion, models }, null, 2)}\n`;
}

export function readStatsText(text: string): StatsText {
  const source = readJsonSource(text);
  if (!source.ok) return broken(`line ${source.line}: ${source.message}`);
  if (!isJsonObject(source.value)) return broken("expected an object with version and models");
  const { version, models } = source.value;
  if (typeof version === "number" && version > statsVersion) return { kind: "newer", version };
  if (version !== statsVersion || !Array.isArray(models)) {
    return broken(`expected "version": ${statsVersion} and "models": [...]`);
  }
  const stats = models.map((row) => (isJsonObject(row) ? readRow(row) : undefined));
  const wrong = stats.indexOf(undefined);
  if (wrong >= 0) return broken(`row ${wrong + 1} of "models" is invalid`);
  return { kind: "value", value: stats.filter((row) => row !== undefined) };
}

function readRow(row: JsonObject): ModelStats | undefined {
  const { provider, model } = row;
  if (typeof provider !== "string" || typeof model !== "string") return undefined;
  const counts = { ...noCounts };
  for (const name of countNames) {
    const value = row[name] ?? 0;
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) return undefined;
    counts[name] = value;
  }
  return { provider, model, counts };
}

function broken(problem: string): StatsText {
  return { kind: "broken", problem };
}
