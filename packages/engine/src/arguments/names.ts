/** Names as models write them: other case, `-` for `_`, a namespace in front. */
import { nearWord } from "@localharness/protocol";

/** The name without case, separators and namespace: `functions.Read-File` and `read_file` fold to the same. */
export function foldName(name: string): string {
  const bare = name.trim().replace(/^(?:functions?|tools?|default_api|mcp)[.:/]+/i, "");
  return bare.toLowerCase().replace(/[\s_-]+/g, "");
}

/** The candidate that differs least from `name`, when it is near enough to be meant. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  return nearWord(name, candidates, foldName);
}
