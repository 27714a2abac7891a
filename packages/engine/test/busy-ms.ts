/** Time that a piece of work is busy, so that a machine with other work to do does not count. */

/** Milliseconds of processor time of this process. */
export function busyMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
