/** Says whether the rules have judged all that a command shows of the repository's history. */
import type { CallFacts } from "@localharness/engine";
import { looksOnly } from "../shell/looks-only.ts";
import { programOf } from "../shell/programs/table.ts";

/**
 * Returns true if every call is one of git or certainly only looks at files: the rules have judged what these calls show. In any other
 * command a program may read objects that no rule has seen.
 */
export function isJudgedByRules(examined: CallFacts | undefined): boolean {
  const { calls, hidden = [], unclear } = examined?.command ?? {};
  if (calls === undefined || unclear !== undefined) return false;
  return [...calls, ...hidden].every((words) => {
    const [name = ""] = words;
    return !name.includes("/") && (programOf(name).reaches !== undefined || looksOnly(words) !== undefined);
  });
}
