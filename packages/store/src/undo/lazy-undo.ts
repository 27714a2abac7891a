/** Undo, loaded when it is needed: most runs undo nothing. */
import { existsSync } from "node:fs";
import { changeLog, sessionChanges, type Workspace, type WriteJournal } from "@localharness/tools";
import type { Undo } from "./undo-changes.ts";

export interface LazyUndo {
  open(): Promise<Undo>;
  /** What the model of a session is to be told of what was undone, once. Never rejects. */
  news(sessionId: string): Promise<readonly string[]>;
}

export function lazyUndo(
  { workspace, journal }: { readonly workspace: Workspace; readonly journal: WriteJournal },
  stateFolder: string,
  /** Known keys: a file that holds one is not copied. */
  secrets: readonly string[],
): LazyUndo {
  const open = async () =>
    (await import("./undo-changes.ts")).openUndo({ workspace, journal, stateFolder, secrets });
  return {
    open,
    news: async (sessionId) =>
      existsSync(changeLog(sessionChanges(stateFolder, workspace.root, sessionId)))
        ? (await open()).news(sessionId)
        : [],
  };
}
