/** The limits of a session: how far a turn goes, and how much it does in a while. */
import { defaultRateLimits, type RateLimits } from "../calls/rate-limits.ts";

export interface Limits extends RateLimits {
  /** Tool calls of one answer that the executor takes at once. The others follow in later batches. */
  readonly callsPerBatch: number;
  /** Iterations of a turn, however much progress it makes. */
  readonly iterationsPerTurn: number;
  /** Iterations in a row without progress. */
  readonly iterationsWithoutProgress: number;
}

export const defaultLimits: Limits = {
  callsPerBatch: 15,
  iterationsPerTurn: 100,
  iterationsWithoutProgress: 10,
  ...defaultRateLimits,
};
