/** What a server sends is walked and written again; deeper than this neither works, and nothing that is meant is. */
export const mostJsonLevels = 1_000;

/** True for a decoded value that is nested deeper. Never recurses. */
export function isTooDeep(value: unknown): boolean {
  let layer = [value];
  for (let level = 0; layer.length > 0; level++) {
    if (level > mostJsonLevels) return true;
    const next: unknown[] = [];
    for (const one of layer) {
      if (typeof one !== "object" || one === null) continue;
      for (const part of Object.values(one)) if (typeof part === "object" && part !== null) next.push(part);
    }
    layer = next;
  }
  return false;
}
