/** Returns the bytes with noise in every page after the first. */
export function noise(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = 4_096; at < copy.length; at += 1) copy[at] = (at * 7_919) % 251;
  return copy;
}
