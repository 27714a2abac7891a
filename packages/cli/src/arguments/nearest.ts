/** The word of a list that was probably meant. */

/** The nearest of `words` by edit distance, or undefined when none is near. Compared without case. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of words) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** ` Did you mean X?`, or nothing. */
export function suggestion(word: string, words: readonly string[], prefix = ""): string {
  const found = nearest(word, words);
  return found === undefined ? "" : ` Did you mean ${prefix}${found}?`;
}

/** Letters to add, drop or change; two that changed places count a little less than one. */
function editDistance(a: string, b: string): number {
  let last: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (last[j - 2] ?? i + j) + 0.9 : i + j;
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swapped));
    }
    last = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
