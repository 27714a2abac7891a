import { nearWord } from "@localharness/protocol";

/** ` Did you mean X?`, or nothing. */
export function suggestion(word: string, words: readonly string[], prefix = ""): string {
  const found = nearWord(word, words);
  return found === undefined ? "" : ` Did you mean ${prefix}${found}?`;
}
