/**
 * Returns the command that a mistyped word probably means: the only command that begins with the word, or else a
 * command with nearly the same spelling; undefined if there is none.
 */
import { nearWord } from "@localharness/protocol";

export function nearestCommand(word: string, names: readonly string[]): string | undefined {
  const begins = names.filter((name) => word.length > 1 && name.startsWith(word));
  return begins.length === 1 ? begins[0] : nearWord(word, names);
}
