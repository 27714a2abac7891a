/**
 * Lists the names of files that make a program run something, or that tell an agent what to do. Each row has a reason, which the
 * question to the person shows. The rows follow one rule: a name is protected if a program runs the file, or obeys commands in
 * it, by itself when somebody enters, opens, builds, commits or pushes a folder. Sources, and files such as `package.json` and
 * `Makefile` that a person runs by name, are not.
 */
import { agentRows } from "./protected-rows/agents.ts";
import { editorRows } from "./protected-rows/editors.ts";
import { placeRows, programRow } from "./protected-rows/places.ts";
import { repositoryRows } from "./protected-rows/repositories.ts";
import type { ProtectedRow } from "./protected-rows/row.ts";
import { toolRows } from "./protected-rows/tools.ts";

export { type ProtectedRow, programRow };

export const protectedRows: readonly ProtectedRow[] = [
  ...agentRows,
  ...repositoryRows,
  ...toolRows,
  ...editorRows,
  ...placeRows,
];

/** Returns true for a row about agents. Some agents keep checkouts of repositories in a folder `worktrees` in their own. */
export function isAboutAgents(row: ProtectedRow): boolean {
  return agentRows.includes(row);
}
