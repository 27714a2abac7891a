/** Names of tools as models write them: other case, `-` for `_`, a namespace in front. */
import { nearWord } from "@localharness/protocol";
import { foldWord } from "@localharness/schema";

/** Returns the name without case, separators and namespace: `functions.Read-File` and `read_file` fold to the same. */
export function foldName(name: string): string {
  return foldWord(name.trim().replace(/^(?:functions?|tools?|default_api|mcp)[.:/]+/i, ""));
}

/** Returns the candidate that differs least from `name`, when it is near enough to be meant. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  return nearWord(name, candidates, foldName);
}
