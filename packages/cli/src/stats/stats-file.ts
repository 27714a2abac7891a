/** The counts of all runs, per provider and model, in `model-stats.json`: many processes may add to it at once. */
import { mkdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { HarnessError } from "@localharness/engine";
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import { replaceFile, type WriteJournal } from "@localharness/tools";
import { configError, reasonOf } from "../complaints.ts";
import { readJsonSource } from "../config/json-source.ts";
import { withFileLock } from "../policy-file/file-lock.ts";
import { addCounts, countNames, type LadderCounts, noCounts } from "./ladder-counts.ts";

export const statsVersion = 1;

export interface ModelStats {
  readonly provider: string;
  readonly model: string;
  readonly counts: LadderCounts;
}

export type StatsText =
  | { readonly kind: "stats"; readonly stats: readonly ModelStats[] }
  | { readonly kind: "newer" | "broken"; readonly problem: string };

export function statsPath(folder: string): string {
  return join(folder, "model-stats.json");
}

/** The counts kept in the folder. Rejects with a `HarnessError` when the file cannot be used. */
export async function readStats(folder: string): Promise<readonly ModelStats[]> {
  const path = statsPath(folder);
  const found = await load(path);
  if (found.kind !== "stats") throw configError(`${path} ${found.problem}`);
  return found.stats;
}

/** Adds the counts of one run. A damaged file is kept aside and counting starts anew; one of a later version is left alone. */
export async function addStats(folder: string, run: ModelStats, journal: WriteJournal): Promise<void> {
  const path = statsPath(folder);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await withFileLock(`${path}.lock`, async (stillHeld) => {
      const found = await load(path);
      if (found.kind === "newer") throw configError(`${path} ${found.problem}`);
      if (found.kind === "broken") {
        await rename(path, `${path}.broken-${new Date().toISOString().replace(/[:.]/g, "-")}`);
      }
      const text = writeStatsText(withRun(found.kind === "stats" ? found.stats : [], run));
      if (!(await stillHeld())) throw configError(`${path} was changed by another process`);
      await replaceFile(path, Buffer.from(text), { journal, mode: 0o600, durable: false });
    });
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    throw configError(`${path} could not be written: ${reasonOf(error)}`, error);
  }
}

async function load(path: string): Promise<StatsText> {
  try {
    return readStatsText(await readFile(path, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { kind: "stats", stats: [] };
    throw configError(`${path} cannot be read: ${reasonOf(error)}`, error);
  }
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
  if (typeof version === "number" && version > statsVersion) {
    const problem = `was written by a later version (${version}, this one knows ${statsVersion}): it is left as it is`;
    return { kind: "newer", problem };
  }
  if (version !== statsVersion || !Array.isArray(models)) {
    return broken(`expected "version": ${statsVersion} and "models": [...]`);
  }
  const stats = models.map((row) => (isJsonObject(row) ? readRow(row) : undefined));
  const wrong = stats.indexOf(undefined);
  if (wrong >= 0) return broken(`row ${wrong + 1} of "models" is not what was written`);
  return { kind: "stats", stats: stats.filter((row) => row !== undefined) };
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
  return { kind: "broken", problem: `is damaged: ${problem}` };
}
