/** The waits between attempts to reach a server, in milliseconds; the last one repeats. */
const waits: readonly number[] = [250, 500, 1_000, 2_000, 5_000];

/** Returns the wait after a number of attempts that failed. */
export function waitAfter(attempts: number): number {
  return waits[Math.min(attempts, waits.length) - 1] ?? 0;
}
