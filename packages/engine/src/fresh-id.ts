/** Ids: those that only differ, made without Web Crypto, which would take 8 ms at each start, and those that are secret. */

/** Not secret. For example `mi8x2k4f-9q3vz7c1d0`: the time, then 51 random bits. */
export function freshId(): string {
  const random = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER).toString(36);
  return `${Date.now().toString(36)}-${random.padStart(11, "0")}`;
}

/** 128 random bits in hex that cannot be guessed. Loads Web Crypto, which takes a few milliseconds the first time. */
export function secretId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
