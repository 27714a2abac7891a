/** Says how often a test kills a process. */

/** Returns the number of kills: `LOCALHARNESS_KILLS`, or else `usual`, which is small enough for every run of the suite. */
export function killCount(usual: number): number {
  return Number(process.env["LOCALHARNESS_KILLS"] ?? usual);
}
