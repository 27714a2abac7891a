/** Measures work in ways that do not depend on how busy the machine is. */

/** Milliseconds after which a test counts as hanging; nothing that works takes so long, even on a busy machine. */
export const hangMs = 60_000;

/**
 * Returns how many times as much processor time the larger work takes as the smaller one. It compares the minima, because
 * other processes can only add time, and repeats until the ratio is below `limit`, ten times at most.
 */
export async function growth(small: () => unknown, large: () => unknown, limit: number): Promise<number> {
  // Warms up the compiler.
  await large();
  const least = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 10 && !(least.large / least.small < limit); round += 1) {
    least.small = Math.min(least.small, await busyMs(small));
    least.large = Math.min(least.large, await busyMs(large));
  }
  return least.large / least.small;
}

/** Shorter work is repeated up to this time, because the system may count thread time in steps of 4 ms. */
const leastMs = 40;

/** Returns the processor time of this thread for one run of the work, in milliseconds. Time of other threads does not count. */
async function busyMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    await work();
    const { user, system } = process.threadCpuUsage(before);
    const spent = (user + system) / 1000;
    if (spent >= leastMs) return spent / runs;
  }
}
