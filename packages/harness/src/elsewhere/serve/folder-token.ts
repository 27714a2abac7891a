/** Keeps the token of each folder that is served to MCP clients over HTTP. A token opens only its own folder. */
import { join } from "node:path";
import { workspaceName } from "@localharness/workspace/changes/change-folder";
import { createWriteJournal, type WriteJournal } from "@localharness/workspace/files/write-journal";
import { stateFolder } from "../../config/location.ts";
import { openServerFile, realFolder, type ServerFile } from "../../hub/server-file.ts";

export type FolderToken = Pick<ServerFile, "token" | "rotate">;

/** Returns the token of a folder, which is given by its real path. Throws a `HarnessError` if there is no state folder. */
export function folderToken(workspace: string, journal: WriteJournal): FolderToken {
  return openServerFile(stateFolder(), journal, join("mcp-serve", `${workspaceName(workspace)}.json`));
}

/**
 * Opens the token of a folder, by default the current folder, whether it is served now or not. Rejects with a `HarnessError`
 * if the folder cannot be opened.
 */
export async function openFolderToken(folder = "."): Promise<FolderToken> {
  return folderToken(await realFolder(folder), createWriteJournal(stateFolder() ?? ""));
}
