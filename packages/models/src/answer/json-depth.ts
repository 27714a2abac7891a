/**
 * Limits how deep JSON from a server may be nested, because code that walks and rewrites it recurses. No real value is
 * nested that deep.
 */
export const maxJsonLevels = 1_000;

/** Returns true if a decoded value is nested deeper than the limit. Does not recurse. */
export function isTooDeep(value: unknown): boolean {
  let layer = [value];
  for (let level = 0; layer.length > 0; level += 1) {
    if (level > maxJsonLevels) return true;
    const next: unknown[] = [];
    for (const one of layer) {
      if (typeof one !== "object" || one === null) continue;
      for (const part of Object.values(one)) if (typeof part === "object" && part !== null) next.push(part);
    }
    layer = next;
  }
  return false;
}
