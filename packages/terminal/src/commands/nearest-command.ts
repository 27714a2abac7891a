/** The command that was probably meant by a word that is none. */
import { nearWord } from "@localharness/protocol";

export function nearestCommand(word: string, names: readonly string[]): string | undefined {
  const begins = names.filter((name) => word.length > 1 && name.startsWith(word));
  return begins.length === 1 ? begins[0] : nearWord(word, names);
}
