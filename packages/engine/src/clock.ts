/** The clock of the engine. Tests use a clock that they set themselves. */
export interface Clock {
  /** Returns Unix time in milliseconds, for timestamps. */
  now(): number;
  /** Returns milliseconds that never go back, for durations. */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
