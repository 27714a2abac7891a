/** Tells the model of a resumed session that the session now runs in another folder. */
import type { SessionEvent } from "@localharness/protocol";

/** Returns the note for the model if the events last ran in another workspace; nothing otherwise. */
export function movedNotes(events: readonly SessionEvent[], workspace: string): string[] {
  const last = events.findLast(({ type }) => type === "session-start" || type === "session-resumed");
  if (last === undefined || !("workspace" in last) || last.workspace === workspace) return [];
  return [
    `The workspace of this session is now ${workspace}. It was ${last.workspace} before: the folder was moved, or the person continues in another one. Use paths of the new workspace; files may differ from what you have read.`,
  ];
}
