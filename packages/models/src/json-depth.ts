/** Limits how deep JSON from a server may be nested: code that walks and rewrites it recurses. No real value is deeper. */
export const maxJsonLevels = 1_000;

/** Returns true for a decoded value that is nested deeper than the limit. Does not recurse. */
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
