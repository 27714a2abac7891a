/** Loads the undo module only when it is needed, because most runs undo nothing. */
import { existsSync } from "node:fs";
import { changeLog, sessionChanges, type ToolResources } from "@localharness/tools";
import type { Undo } from "./undo-changes.ts";

export interface LazyUndo {
  open(): Promise<Undo>;
  /** Returns notes for the model about undos and redos. Each note is returned only once. Never rejects. */
  news(sessionId: string): Promise<readonly string[]>;
}

export function lazyUndo(
  { workspace, journal, ledger }: Pick<ToolResources, "workspace" | "journal" | "ledger">,
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
