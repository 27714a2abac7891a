import { splitWords } from "./split-words.ts";
import { isStopWord } from "./stop-words.ts";

const maxWords = 24;

/** Returns at most 24 words to search for, each only once. Leaves out stop words unless the text has no other words. */
export function searchedWords(text: string): readonly string[] {
  const words = [...new Set(splitWords(text))];
  const telling = words.filter((word) => !isStopWord(word));
  return (telling.length > 0 ? telling : words).slice(0, maxWords);
}
