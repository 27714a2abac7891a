/** Measures of work that hold on any machine, however busy it is. */

/** Milliseconds after which something hangs: nothing that works takes as long, on a machine however busy. */
export const hangMs = 60_000;

/**
 * Gives how many times as long the larger work keeps this thread busy as the smaller one. The least of each counts,
 * because others can only add to it, and is looked for until the ratio is below `limit`, ten times at most.
 */
export async function growth(small: () => unknown, large: () => unknown, limit: number): Promise<number> {
  // What is not compiled yet is slower.
  await large();
  const least = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 10 && !(least.large / least.small < limit); round += 1) {
    least.small = Math.min(least.small, await busyMs(small));
    least.large = Math.min(least.large, await busyMs(large));
  }
  return least.large / least.small;
}

/** The system may count a thread's time in steps of 4 ms, so that shorter work is done again and again. */
const leastMs = 40;

/** Milliseconds of processor time of this thread for one piece of work: what others take does not count. */
async function busyMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    await work();
    const { user, system } = process.threadCpuUsage(before);
    const spent = (user + system) / 1000;
    if (spent >= leastMs) return spent / runs;
  }
}
