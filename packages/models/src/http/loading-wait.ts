/** Decides how long to wait for a server that is loading its model, and when to tell the person. */
import type { ModelEvent } from "@localharness/protocol";
import type { ModelFailure } from "../answer/failure.ts";
import type { WaitLimits } from "./patience.ts";
import type { RetryPolicy } from "./retry.ts";
import { maskSecrets } from "./secrets.ts";

export interface LoadingWaitOptions {
  readonly limits: WaitLimits;
  readonly retry: RetryPolicy;
  /** Texts that are masked in messages. */
  readonly secrets: readonly string[];
}

export interface LoadingWait {
  /**
   * Returns the time to wait before the next try, with an event if there is news for the person. Returns undefined once
   * the total wait has reached `firstTokenMs`; never if that is 0.
   */
  next(failure: ModelFailure): { readonly waitMs: number; readonly told?: ModelEvent } | undefined;
}

const maxWaitMs = 2_000;
const tellEveryMs = 30_000;

export function createLoadingWait({ limits, retry, secrets }: LoadingWaitOptions): LoadingWait {
  let waitMs = retry.firstWaitMs;
  let waitedMs = 0;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  let told = "";
  return {
    next(failure) {
      if (limits.firstTokenMs > 0 && waitedMs >= limits.firstTokenMs) return undefined;
      const now = Math.max(1, waitMs);
      const isNews = failure.message !== told || waitedMs - toldAtMs >= tellEveryMs;
      if (isNews) {
        toldAtMs = waitedMs;
        told = failure.message;
      }
      waitedMs += now;
      waitMs = Math.min(now * 2, maxWaitMs);
      if (!isNews) return { waitMs: now };
      const message = maskSecrets(`${failure.message} Waiting until the model is loaded.`, secrets);
      return { waitMs: now, told: { type: "model-retry", attempt: 1, waitMs: now, message } };
    },
  };
}
