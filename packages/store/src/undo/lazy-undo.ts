/** Loads the undo module only when it is needed, because most runs undo nothing. */
import { existsSync } from "node:fs";
import { changeLog, sessionChanges } from "@localharness/workspace/changes/change-folder";
import type { ReadLedger } from "@localharness/workspace/files/read-ledger";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import type { Undo } from "./undo-changes.ts";

interface UndoneParts {
  readonly workspace: Workspace;
  readonly journal: WriteJournal;
  readonly ledger: ReadLedger;
}

export interface LazyUndo {
  open(): Promise<Undo>;
  /** Returns notes for the model about undos and redos. Each note is returned only once. Never rejects. */
  news(sessionId: string): Promise<readonly string[]>;
}

export function lazyUndo(
  { workspace, journal, ledger }: UndoneParts,
  stateFolder: string,
  /** The secrets that the program knows. The content of a file that contains a known secret is not kept. */
  secrets: readonly string[],
): LazyUndo {
  const open = async () =>
    (await import("./undo-changes.ts")).openUndo({ workspace, journal, ledger, stateFolder, secrets });
  return {
    open,
    news: async (sessionId) =>
      existsSync(changeLog(sessionChanges(stateFolder, workspace.root, sessionId)))
        ? (await open()).news(sessionId)
        : [],
  };
}
