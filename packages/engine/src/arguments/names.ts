/** Names as models write them: other case, `-` for `_`, a namespace in front. */

/** The name without case, separators and namespace: `functions.Read-File` and `read_file` fold to the same. */
export function foldName(name: string): string {
  const bare = name.trim().replace(/^(?:functions?|tools?|default_api|mcp)[.:/]+/i, "");
  return bare.toLowerCase().replace(/[\s_-]+/g, "");
}

/** The candidate that differs least from `name`, when it is near enough to be meant. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const folded = foldName(name).slice(0, 64);
  let best: { name: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(folded, foldName(candidate));
    if (best === undefined || distance < best.distance) best = { name: candidate, distance };
  }
  return best !== undefined && best.distance <= Math.max(1, Math.floor(folded.length / 3))
    ? best.name
    : undefined;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substituted, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
