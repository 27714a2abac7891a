/** Chooses the line of a section that a search shows. */
import { searchedWords } from "./searched-words.ts";
import { splitWords } from "./split-words.ts";

/**
 * Returns the number of the line from `first` to `last` that has the most of the searched words. If several lines have
 * equally many, returns the first of them.
 */
export function bestLine(lines: readonly string[], first: number, last: number, asked: string): number {
  const wanted = searchedWords(asked).map(stem);
  let best = first;
  let most = 0;
  for (let number = first; number <= last; number += 1) {
    const words = new Set(splitWords(lines[number - 1] ?? "").map(stem));
    const count = wanted.filter((word) => words.has(word)).length;
    if (count <= most) continue;
    most = count;
    best = number;
  }
  return best;
}

/** Returns a word without its ending. This is only roughly how the search ignores endings. */
function stem(word: string): string {
  return word.replace(/(?:ing|ed|es|s|e)$/, "");
}
