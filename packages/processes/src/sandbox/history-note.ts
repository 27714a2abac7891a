/** Recognises a command whose git found no objects, because rules deny reading tracked files, and says what can be done. */
import { anyOf } from "@localharness/workspace/patterns";
import type { SandboxedCommand } from "./sandbox.ts";

const failure = anyOf(
  /bad object|unable to read|invalid object|missing (?:blob|tree|commit)/i,
  /could not parse (?:commit|object)|not a valid object|bad tree|unable to (?:find|parse)/i,
  /unknown revision|invalid reference|needed a single revision|not a git repository/i,
);

/** Returns a note for the model and the person; undefined if the objects are open, or the output says nothing about them. */
export function historyNote(
  { byRules }: Pick<SandboxedCommand, "byRules">,
  output: string,
): string | undefined {
  const isClosed = byRules.some((path) => /(?:^|\/)objects$/.test(path));
  if (!isClosed || !failure.test(output)) return undefined;
  return "rules of the person deny reading tracked files, so the sandbox closes the objects of the repository for programs other than git. Call git directly, without other programs in the command, or ask the person: they can run the command themselves with ! before it";
}
