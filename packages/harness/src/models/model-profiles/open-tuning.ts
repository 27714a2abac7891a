/**
 * Finds the settings that suit a model. The person's settings take precedence over the findings of `localharness doctor`,
 * and over the sampling that the model's maker recommends.
 */
import type { ModelSelection, Sampling } from "@localharness/models";
import { defined } from "@localharness/protocol";
import type { ConfigValues } from "../../config/fields.ts";
import { shippedSampling } from "./families.ts";
import type { OwnProfile } from "./own-profile.ts";
import { readTried, rowOf } from "./profile-file.ts";
import { profileInUse } from "./profile-in-use.ts";

type ProviderId = Parameters<NonNullable<ModelSelection["tuned"]>>[0];
type Own = Pick<ConfigValues, "sampling" | "profiles">;

/** Reads the findings of the doctor once. Returns a function that returns the settings that suit a model. */
export async function openTuning(
  folder: string | undefined,
  { sampling, profiles }: Own,
): Promise<NonNullable<ModelSelection["tuned"]>> {
  const rows = await readTried(folder);
  return (provider, address, model) => ({
    ...profileInUse(rowOf(rows, address, model)?.tried, ownProfile(profiles, model)).tuning,
    ...defined({ sampling: chosenSampling(sampling, provider, model).values }),
  });
}

/** Returns the person's setting about a model, or else the setting for `*`; undefined if there is neither. */
export function ownProfile(profiles: Own["profiles"], model: string): OwnProfile | undefined {
  return profiles?.[model] ?? profiles?.["*"];
}

export interface ChosenSampling {
  /** Absent if the server picks the values. */
  readonly values?: Sampling;
  readonly source: "setting" | "maker" | "server";
}

export function chosenSampling(
  sampling: Own["sampling"],
  provider: ProviderId,
  model: string,
): ChosenSampling {
  const own = sampling?.[model] ?? sampling?.["*"];
  if (own !== undefined) return { values: own, source: "setting" };
  const shipped = shippedSampling(provider, model);
  return shipped === undefined ? { source: "server" } : { values: shipped, source: "maker" };
}
