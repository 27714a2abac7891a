/** Ids that differ from each other, in the order of their making. Not secrets: Web Crypto would take 8 ms to load at each start. */

/** For example `mi8x2k4f-9q3vz7c1d0`: the time, then 51 random bits. */
export function freshId(): string {
  const random = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER).toString(36);
  return `${Date.now().toString(36)}-${random.padStart(11, "0")}`;
}
