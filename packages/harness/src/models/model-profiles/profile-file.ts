/**
 * Saves what is known about models: the habits that they have revealed by refusing requests, so that the next run avoids
 * such requests, and the findings of `localharness doctor`.
 */
import { join } from "node:path";
import type { SelectedModel } from "@localharness/models";
import { defined, isJsonObject, type JsonObject } from "@localharness/protocol";
import { readJsonSource } from "@localharness/store/json-source";
import { changeKept, type KeptKind, type KeptText, readKept } from "@localharness/store/kept-file/kept-file";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import { readTriedProfile, type TriedProfile } from "./tried-profile.ts";

const profilesVersion = 1;
/**
 * The age in milliseconds after which habits are found out again, because the server may have been updated or restarted
 * with other options.
 */
const maxAgeMs = 7 * 24 * 3_600_000;

export interface KeptProfile {
  readonly provider: string;
  /** The address of the server, without a password. */
  readonly address: string;
  readonly model: string;
  /** The value of `ModelProfile.learnt`. */
  readonly habits: readonly string[];
  /** The time when the habits were found out, in Unix milliseconds. */
  readonly learntAt: number;
  /** The findings of `localharness doctor`. They stay until the person removes them. */
  readonly tried?: TriedProfile;
}

const profilesKind: KeptKind<readonly KeptProfile[]> = {
  version: profilesVersion,
  empty: [],
  contents: "model profiles",
  durable: false,
  read: readProfilesText,
  write: (models) => `${JSON.stringify({ version: profilesVersion, models }, null, 2)}\n`,
};

function profilesPath(folder: string): string {
  return join(folder, "model-profiles.json");
}

/** Returns the habits of a model that were learnt in the last seven days. */
export type Recall = (provider: string, address: string, model: string) => readonly string[];

/**
 * Reads the file once, and returns a function that looks up habits. Without a folder or a valid file, no habits are
 * known.
 */
export async function openRecall(folder: string | undefined, now: number): Promise<Recall> {
  if (folder === undefined) return () => [];
  const found = await readKept(profilesPath(folder), profilesKind);
  const kept = found.kind === "value" ? current(found.value, now) : [];
  return (provider, address, model) => kept.find((row) => isOf(row, provider, address, model))?.habits ?? [];
}

/** Saves the habits learnt in a run. Never rejects: the next run can find them out again. */
export async function keepProfiles(
  folder: string | undefined,
  selected: readonly SelectedModel[],
  journal: WriteJournal,
  now: number,
): Promise<void> {
  const taught = selected.filter(({ profile }) => (profile?.learnt() ?? []).length > 0);
  if (folder === undefined || taught.length === 0) return;
  try {
    const { bareUrl } = await import("@localharness/models");
    const learnt = taught.map(
      ({ profile, provider, model, baseUrl }): KeptProfile => ({
        provider,
        address: bareUrl(baseUrl),
        model: model.name,
        habits: profile?.learnt() ?? [],
        learntAt: now,
      }),
    );
    await changeKept(profilesPath(folder), profilesKind, journal, (before) =>
      learnt.reduce(withProfile, current(before, now)),
    );
  } catch {
    // The next run will find the habits out again.
  }
}

/**
 * Returns the rows with the profile added. Keeps the old row if the profile has no new habit, because the age counts
 * from the first time.
 */
function withProfile(rows: readonly KeptProfile[], profile: KeptProfile): readonly KeptProfile[] {
  const isSame = (row: KeptProfile) => isOf(row, profile.provider, profile.address, profile.model);
  const before = rows.find(isSame);
  const known = before !== undefined && profile.habits.every((habit) => before.habits.includes(habit));
  const next = { ...profile, ...defined({ tried: before?.tried }) };
  return known ? rows : [...rows.filter((row) => !isSame(row)), next];
}

/** Returns the rows without habits that are too old. A row that is then empty is left out. */
function current(rows: readonly KeptProfile[], now: number): readonly KeptProfile[] {
  return rows.flatMap((row) => {
    if (isFresh(row, now)) return [row];
    return row.tried === undefined ? [] : [{ ...row, habits: [] }];
  });
}

/** Returns the rows with findings of `localharness doctor`; empty if there is no folder or no valid file. */
export async function readTried(folder: string | undefined): Promise<readonly KeptProfile[]> {
  if (folder === undefined) return [];
  const found = await readKept(profilesPath(folder), profilesKind);
  return found.kind === "value" ? found.value.filter(({ tried }) => tried !== undefined) : [];
}

/**
 * Returns the row about a model at an address; undefined if there is none. The provider does not matter, because the same
 * server may be found as llama.cpp and named by its address alone.
 */
export function rowOf(rows: readonly KeptProfile[], address: string, model: string): KeptProfile | undefined {
  return rows.find((row) => row.address === address && isSameModel(row.model, model));
}

/** Returns true for names of one model: Ollama lists `qwen3` as `qwen3:latest`. */
function isSameModel(kept: string, name: string): boolean {
  return kept === name || kept === `${name}:latest` || name === `${kept}:latest`;
}

/** Returns the findings about a selected model; undefined if it was not tried. */
export async function findTried(
  folder: string | undefined,
  { baseUrl, model }: Pick<SelectedModel, "baseUrl" | "model">,
): Promise<TriedProfile | undefined> {
  const rows = await readTried(folder);
  if (rows.length === 0) return undefined;
  const { bareUrl } = await import("@localharness/models");
  return rowOf(rows, bareUrl(baseUrl), model.name)?.tried;
}

/** Saves the findings about a model. Rejects with a `HarnessError` if the file cannot be written. */
export async function keepTried(
  folder: string,
  key: Pick<KeptProfile, "provider" | "address" | "model">,
  tried: TriedProfile,
  journal: WriteJournal,
): Promise<void> {
  await changeKept(profilesPath(folder), profilesKind, journal, (rows) => {
    const isSame = (row: KeptProfile) => isOf(row, key.provider, key.address, key.model);
    const before = rows.find(isSame) ?? { ...key, habits: [], learntAt: tried.triedAt };
    return [...rows.filter((row) => !isSame(row)).flatMap(withoutTried(key)), { ...before, tried }];
  });
}

/** Returns a function that removes findings about the same model, which were saved under another provider or spelling. */
function withoutTried({ address, model }: Pick<KeptProfile, "address" | "model">) {
  return (row: KeptProfile): readonly KeptProfile[] => {
    if (row.address !== address || !isSameModel(row.model, model)) return [row];
    const { tried: _, ...rest } = row;
    return rest.habits.length === 0 ? [] : [rest];
  };
}

/** Removes everything that is kept about models of this name. Returns the number of removed rows. */
export async function forgetModel(folder: string, model: string, journal: WriteJournal): Promise<number> {
  const before = await changeKept(profilesPath(folder), profilesKind, journal, (rows) =>
    rows.filter((row) => !isSameModel(row.model, model)),
  );
  return before.filter((row) => isSameModel(row.model, model)).length;
}

function isOf(row: KeptProfile, provider: string, address: string, model: string): boolean {
  return row.provider === provider && row.address === address && row.model === model;
}

function isFresh({ learntAt }: KeptProfile, now: number): boolean {
  return learntAt <= now && now - learntAt < maxAgeMs;
}

function readProfilesText(text: string): KeptText<readonly KeptProfile[]> {
  const source = readJsonSource(text);
  if (!source.ok) return { kind: "broken", problem: `line ${source.line}: ${source.message}` };
  const value = source.value;
  if (!isJsonObject(value)) return { kind: "broken", problem: "expected an object with version and models" };
  const { version, models } = value;
  if (typeof version === "number" && version > profilesVersion) return { kind: "newer", version };
  if (version !== profilesVersion || !Array.isArray(models)) {
    return { kind: "broken", problem: `expected "version": ${profilesVersion} and "models": [...]` };
  }
  return { kind: "value", value: models.filter(isJsonObject).flatMap(readRow) };
}

function readRow({ provider, address, model, habits, learntAt, tried }: JsonObject): KeptProfile[] {
  if (typeof provider !== "string" || typeof address !== "string" || typeof model !== "string") return [];
  if (!Array.isArray(habits) || typeof learntAt !== "number") return [];
  const names = habits.filter((name) => typeof name === "string");
  const found = readTriedProfile(tried);
  return [{ provider, address, model, habits: names, learntAt, ...defined({ tried: found }) }];
}
