/** Refuses a command that continues or ends a rebase which the sandbox closes. */
import { isWorkFolder } from "@localharness/processes/sandbox/rebases";
import type { Words } from "../shell/programs/program.ts";

const works: ReadonlySet<string> = new Set("rebase am cherry-pick revert".split(" "));
const goesOn: ReadonlySet<string> = new Set(
  "--abort --continue --skip --quit --resolved --edit-todo".split(" "),
);

/**
 * Returns the reason to refuse a command with a call that continues or ends a closed rebase; undefined for any other command.
 * `closed` has the paths that it cannot write. Git would do a part of the work, fail at the closed folder, and not finish the rebase.
 */
export function closedRebase(calls: readonly Words[], closed: readonly string[]): string | undefined {
  const path = closed.find(isWorkFolder);
  if (path === undefined || !calls.some(endsWork)) return undefined;
  return `Nothing ran: the work in ${path} was begun outside of the sandbox, which closes it, so git could do only a part of this. Ask the person to run the command themselves with ! before it.`;
}

function endsWork(words: Words): boolean {
  const at = words.findIndex((word) => works.has(word));
  return at !== -1 && words.slice(at).some((word) => goesOn.has(word));
}
