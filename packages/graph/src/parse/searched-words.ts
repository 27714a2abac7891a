import { splitWords } from "./split-words.ts";
import { isStopWord } from "./stop-words.ts";

const maxWords = 24;

/** Returns the words that a search looks for, each only once. */
export function searchedWords(text: string): readonly string[] {
  const words = [...new Set(splitWords(text))];
  const telling = words.filter((word) => !isStopWord(word));
  return (telling.length > 0 ? telling : words).slice(0, maxWords);
}
