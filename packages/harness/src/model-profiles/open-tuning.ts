/**
 * Finds the settings that suit a model: the findings of `localharness doctor`, and the sampling. The sampling comes
 * from the person's settings, or else from the model's maker.
 */
import type { ModelSelection, Sampling } from "@localharness/models";
import { defined } from "@localharness/protocol";
import { shippedSampling } from "./families.ts";
import { readTried } from "./profile-file.ts";

/**
 * Reads the findings once, and returns a function that finds the tuning of a model. `sampling` is the person's setting
 * by model name; `*` stands for any other model.
 */
export async function openTuning(
  folder: string | undefined,
  sampling: Readonly<Record<string, Sampling>> = {},
): Promise<NonNullable<ModelSelection["tuned"]>> {
  const rows = await readTried(folder);
  return (provider, address, model) => {
    const row = rows.find(
      (one) => one.provider === provider && one.address === address && one.model === model,
    );
    return {
      ...row?.tried?.tuning,
      ...defined({ sampling: sampling[model] ?? sampling["*"] ?? shippedSampling(provider, model) }),
    };
  };
}
