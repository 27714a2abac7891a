/** Declares the limits of a session and their defaults. `RateLimits` has those for calls, commands and written bytes. */
import { defaultRateLimits, type RateLimits } from "../calls/rate-limits.ts";

export interface Limits extends RateLimits {
  /** The maximum number of tool calls of one answer that the executor takes at once. The others follow in later batches. */
  readonly callsPerIteration: number;
  /** The maximum number of iterations of a turn, with or without progress. */
  readonly iterationsPerTurn: number;
  /** The maximum number of consecutive iterations without progress. */
  readonly iterationsWithoutProgress: number;
  /** The maximum number of times in a turn that the model is asked to go on after an empty answer or an announced step. */
  readonly nudgesPerTurn: number;
  /** The maximum seconds of a request beside the conversation, such as one of the curator. */
  readonly besideSeconds: number;
}

export const defaultLimits: Limits = {
  callsPerIteration: 15,
  iterationsPerTurn: 100,
  iterationsWithoutProgress: 10,
  nudgesPerTurn: 1,
  besideSeconds: 60,
  ...defaultRateLimits,
};
