/** Refuses a command that continues or ends a rebase which the sandbox closes. */
import { isWorkFolder } from "@localharness/processes/sandbox/rebases";

const goesOn =
  /\b(?:rebase|am|cherry-pick|revert)\b[^;&|\n]*\s--(?:abort|continue|skip|quit|resolved|edit-todo)\b/;

/**
 * Returns the reason to refuse a command that continues or ends a closed rebase; undefined for any other command. `closed`
 * has the paths that it cannot write. Git would do a part of the work, fail at the closed folder, and not finish the rebase.
 */
export function closedRebase(command: string, closed: readonly string[]): string | undefined {
  const path = closed.find(isWorkFolder);
  if (path === undefined || !goesOn.test(command)) return undefined;
  return `Nothing ran: the work in ${path} was begun outside of the sandbox, which closes it, so git could do only a part of this. Ask the person to run the command themselves with ! before it.`;
}
