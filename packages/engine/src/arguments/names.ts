/** Compares tool names as models write them: in another case, with `-` for `_`, or with a namespace before the name. */
import { nearWord, nearWords } from "@localharness/protocol";
import { foldWord } from "@localharness/schema";

export { bareArguments, type ToolNames, toolNames } from "@localharness/schema";

/** Returns the name without case, separators and namespace: the same text for `functions.Read-File` and `read_file`. */
export function foldName(name: string): string {
  return foldWord(name.trim().replace(/^(?:functions?|tools?|default_api|mcp)[.:/]+/i, ""));
}

/** Returns the candidate most similar to `name`; undefined if none is similar enough. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  return nearWord(name, candidates, foldName);
}

/**
 * Returns the candidates in the order in which `name` may mean them: first those that are spelled like it, then those that
 * share a word with it, then the others.
 */
export function byNearness(name: string, candidates: readonly string[]): readonly string[] {
  const spelled = nearWords(name, candidates, foldName);
  const near = new Set(spelled);
  const rest = candidates.filter((candidate) => !near.has(candidate));
  const words = new Set(wordsOf(name));
  const shares = (candidate: string) => wordsOf(candidate).some((word) => words.has(word));
  return [...spelled, ...rest.filter(shares), ...rest.filter((candidate) => !shares(candidate))];
}

/** Returns the words of three letters or more, each without a plural `s`: `search` and `file` for `searchFiles`. */
function wordsOf(name: string): readonly string[] {
  const words = name.slice(0, 80).split(/[^\p{L}\d]+|(?<=\p{Ll})(?=\p{Lu})/u);
  return words.filter(({ length }) => length > 2).map((word) => word.toLowerCase().replace(/(?<=...)s$/, ""));
}
