/** The word of a list that was probably meant. */

/** Longer words are compared by their beginning: what is mistyped may be anything. */
const mostChars = 64;

/** The one of `words` that differs least from `word`, both folded; undefined when none is near enough to be meant. */
export function nearWord(
  word: string,
  words: readonly string[],
  fold: (word: string) => string = (text) => text.toLowerCase(),
): string | undefined {
  const folded = fold(word).slice(0, mostChars);
  let best: string | undefined;
  let least = Math.max(1, Math.floor(folded.length / 3)) + 1;
  for (const candidate of words) {
    const distance = editDistance(folded, fold(candidate).slice(0, mostChars));
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

/** Letters to add, drop or change; two that changed places count a little less than one. */
function editDistance(a: string, b: string): number {
  let last: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
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

/** ` Did you mean X?` for the one of `words` that is nearly `word`; empty where none is. */
export function suggestion(word: string, words: readonly string[], prefix = ""): string {
  const found = nearWord(word, words);
  return found === undefined ? "" : ` Did you mean ${prefix}${found}?`;
}
