/** Finds the word of a list that a mistyped word probably meant. */

/** The maximum number of characters that are compared, because the time is quadratic and the input may have any length. */
const maxChars = 64;

/**
 * Returns the entry of `words` with the smallest edit distance to `word`, both normalized by `fold`; the first such entry if
 * there are several. Returns undefined unless that distance is below 2, or, for a `word` of 6 letters or more, below a third
 * of its letters (rounded down) plus 1.
 */
export function nearWord(
  word: string,
  words: readonly string[],
  fold?: (word: string) => string,
): string | undefined {
  return nearWords(word, words, fold)[0];
}

/** Returns all entries of `words` that are as near to `word` as `nearWord` demands, the nearest first. */
export function nearWords(
  word: string,
  words: readonly string[],
  fold: (word: string) => string = (text) => text.toLowerCase(),
): readonly string[] {
  const folded = fold(word).slice(0, maxChars);
  const below = Math.max(1, Math.floor(folded.length / 3)) + 1;
  return words
    .map((entry) => ({ entry, distance: editDistance(folded, fold(entry).slice(0, maxChars)) }))
    .filter(({ distance }) => distance < below)
    .toSorted((one, other) => one.distance - other.distance)
    .map(({ entry }) => entry);
}

/** Returns the edit distance: insertions, deletions and replacements count 1, two swapped neighbours count 0.9. */
function editDistance(a: string, b: string): number {
  let last: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const places = swapped ? (last[j - 2] ?? i + j) + 0.9 : i + j;
      next.push(Math.min(changed, places, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    last = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Returns ` Did you mean X?`, where X is `prefix` and the entry of `words` nearest to `word`; empty if none is near. */
export function suggestion(word: string, words: readonly string[], prefix = ""): string {
  const found = nearWord(word, words);
  return found === undefined ? "" : ` Did you mean ${prefix}${found}?`;
}
