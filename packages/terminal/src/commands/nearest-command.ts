/** The command that was probably meant by a word that is none. */

export function nearestCommand(word: string, names: readonly string[]): string | undefined {
  const begins = names.filter((name) => word.length > 1 && name.startsWith(word));
  if (begins.length === 1) return begins[0];
  const limit = Math.max(1, Math.floor(word.length / 3));
  const near = names
    .map((name) => ({ name, distance: editDistance(word, name) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((left, right) => left.distance - right.distance);
  return near[0]?.name;
}

function editDistance(left: string, right: string): number {
  let last: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let at = 1; at <= left.length; at++) {
    const next = [at];
    for (let to = 1; to <= right.length; to++) {
      const changed = (row[to - 1] ?? 0) + (left[at - 1] === right[to - 1] ? 0 : 1);
      // Two letters that changed places count a little less than one.
      const swapped = left[at - 1] === right[to - 2] && left[at - 2] === right[to - 1];
      const places = swapped ? (last[to - 2] ?? at + to) + 0.9 : at + to;
      next.push(Math.min(changed, places, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    last = row;
    row = next;
  }
  return row[right.length] ?? 0;
}
