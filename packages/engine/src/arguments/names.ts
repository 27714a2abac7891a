/** Compares tool names as models write them: in another case, with `-` for `_`, or with a namespace before the name. */
import { nearWord } from "@localharness/protocol";
import { foldWord } from "@localharness/schema";

/** Returns the name without case, separators and namespace: the same text for `functions.Read-File` and `read_file`. */
export function foldName(name: string): string {
  return foldWord(name.trim().replace(/^(?:functions?|tools?|default_api|mcp)[.:/]+/i, ""));
}

/** Returns the candidate most similar to `name`; undefined if none is similar enough. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  return nearWord(name, candidates, foldName);
}
