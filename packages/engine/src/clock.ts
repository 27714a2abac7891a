/** Time as the engine sees it, so that tests can own it. */
export interface Clock {
  /** Unix time in milliseconds, for timestamps. */
  now(): number;
  /** Milliseconds that never jump back, for durations. */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
