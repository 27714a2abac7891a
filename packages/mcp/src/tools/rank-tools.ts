/** Ranks tools with BM25 by how well their names and descriptions match some words. */

export interface Rankable {
  readonly name: string;
  readonly description: string;
}

/** The constant k1 of BM25, with its default: how soon a repeated word stops counting more. */
const saturation = 1.2;
/** The constant b of BM25, with its default: how much the length of a text counts, from 0 to 1. */
const lengthShare = 0.75;
/** The factor by which a word in the name counts more than a word in the description. */
const nameWeight = 3;

/** Returns the items that share a word with the query, the best first. Items with equal scores keep their order. */
export function rankTools<Item extends Rankable>(items: readonly Item[], query: string): readonly Item[] {
  const texts = items.map(({ name, description }) => [
    ...Array.from({ length: nameWeight }, () => wordsOf(name)).flat(),
    ...wordsOf(description),
  ]);
  const average = texts.reduce((sum, words) => sum + words.length, 0) / Math.max(1, texts.length);
  const wanted = [...new Set(wordsOf(query))];
  const counts = texts.map(countWords);
  const scores = counts.map((count, index) => {
    const length = texts[index]?.length ?? 0;
    return wanted.reduce((sum, word) => {
      const times = count.get(word) ?? 0;
      if (times === 0) return sum;
      const having = counts.filter((other) => other.has(word)).length;
      const rarity = Math.log(1 + (items.length - having + 0.5) / (having + 0.5));
      const damped = times + saturation * (1 - lengthShare + (lengthShare * length) / average);
      return sum + (rarity * times * (saturation + 1)) / damped;
    }, 0);
  });
  return items
    .map((item, index) => ({ item, score: scores[index] ?? 0 }))
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .map(({ item }) => item);
}

/**
 * Returns the words of a name or a text in lower case, without a plural `s`. `readFile` and `read_file` have the same
 * words.
 */
function wordsOf(text: string): readonly string[] {
  const apart = text.replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2").toLowerCase();
  return (apart.match(/[\p{L}\d]+/gu) ?? []).map((word) => (word.length > 3 ? word.replace(/s$/, "") : word));
}

function countWords(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
