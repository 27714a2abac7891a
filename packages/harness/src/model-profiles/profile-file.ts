/** Saves the habits of models that refused requests have revealed, so that the next run avoids such requests. */
import { join } from "node:path";
import type { SelectedModel } from "@localharness/models";
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import { readJsonSource } from "@localharness/store/json-source";
import { changeKept, type KeptKind, type KeptText, readKept } from "@localharness/store/kept-file/kept-file";
import type { WriteJournal } from "@localharness/tools";

const profilesVersion = 1;
/**
 * The age after which habits are found out again, because the server may have been updated or restarted with other
 * options.
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

/** Reads the file once. Without a folder or a valid file, no habits are known. */
export async function openRecall(folder: string | undefined, now: number): Promise<Recall> {
  if (folder === undefined) return () => [];
  const found = await readKept(profilesPath(folder), profilesKind);
  const kept = found.kind === "value" ? found.value.filter((row) => isFresh(row, now)) : [];
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
      learnt.reduce(
        withProfile,
        before.filter((row) => isFresh(row, now)),
      ),
    );
  } catch {
    // The next run finds the habits out again.
  }
}

/**
 * Returns the rows with the profile. Keeps the old row if no habit is new, because the age is counted from the first time.
 */
function withProfile(rows: readonly KeptProfile[], profile: KeptProfile): readonly KeptProfile[] {
  const isSame = (row: KeptProfile) => isOf(row, profile.provider, profile.address, profile.model);
  const before = rows.find(isSame);
  const known = before !== undefined && profile.habits.every((habit) => before.habits.includes(habit));
  return known ? rows : [...rows.filter((row) => !isSame(row)), profile];
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

function readRow({ provider, address, model, habits, learntAt }: JsonObject): KeptProfile[] {
  if (typeof provider !== "string" || typeof address !== "string" || typeof model !== "string") return [];
  if (!Array.isArray(habits) || typeof learntAt !== "number") return [];
  const names = habits.filter((name) => typeof name === "string");
  return [{ provider, address, model, habits: names, learntAt }];
}
