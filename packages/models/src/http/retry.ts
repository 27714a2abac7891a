/** When a failed request is worth another try, and how long to wait before it. */

export interface RetryPolicy {
  /** Tries in all, the first included. */
  readonly tries: number;
  /** Tries in all when the time for the first token runs out: each of them takes that long. */
  readonly slowTries: number;
  readonly firstWaitMs: number;
  /** No wait is longer, whatever the server asks for. */
  readonly maxWaitMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  tries: 4,
  slowTries: 2,
  firstWaitMs: 500,
  maxWaitMs: 60_000,
};

/**
 * Milliseconds to wait after try number `attempt` (from 1): what the server asked for, else twice as long each time,
 * 25 % more or less by `random` (0 to 1). Always between 0 and the policy's maximum.
 */
export function waitBefore(
  policy: RetryPolicy,
  attempt: number,
  retryAfterMs: number | undefined,
  random: () => number,
): number {
  const usual = policy.firstWaitMs * 2 ** (attempt - 1) * (0.75 + random() / 2);
  return Math.round(Math.min(retryAfterMs ?? usual, policy.maxWaitMs));
}

/** Reads a `Retry-After` header: seconds or a date. Undefined when it is absent, unreadable or in the past. */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined || value.trim() === "") return undefined;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
  return ms >= 0 ? ms : undefined;
}

/** Waits; true when the time is over, false as soon as the signal aborts. */
export function wait(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const abort = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve(true);
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
  });
}
