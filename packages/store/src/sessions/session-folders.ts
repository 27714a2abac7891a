/** Lists the sessions of all workspaces, and their statistics. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { defined } from "@localharness/protocol";
import { readPlainText } from "@localharness/workspace/files/plain-file";
import { readLines } from "../kept-file/read-lines.ts";
import { type ListedSession, listSessionFiles } from "./list-sessions.ts";
import { readRecord, type SessionHeader } from "./session-record.ts";

export interface WorkspaceSessions {
  /** The real path of the workspace, or the folder's name if the newest session has no readable header. */
  readonly workspace: string;
  readonly sessions: readonly ListedSession[];
  /** The number of the workspace in its file system, if the newest session says it. */
  readonly inode?: number;
}

/** The name of the file that says to which workspace sessions were moved. */
export const folderNote = "folder.json";

/** Returns the sessions of every workspace that has sessions. The workspace that was used last comes first. */
export async function allFolders(stateFolder: string): Promise<readonly WorkspaceSessions[]> {
  const root = join(stateFolder, "sessions");
  const found: WorkspaceSessions[] = [];
  for (const name of folders(root)) {
    const folder = join(root, name);
    const sessions = await listSessionFiles(folder);
    const [newest] = sessions;
    if (newest === undefined) continue;
    // Another process may have just deleted the file.
    const header = await headerOf(join(folder, `${newest.id}.jsonl`)).catch(() => undefined);
    const workspace = noteOf(folder) ?? header?.workspace ?? name;
    found.push({ workspace, sessions, ...defined({ inode: header?.inode }) });
  }
  return found.toSorted(
    (left, right) => (right.sessions[0]?.changed ?? 0) - (left.sessions[0]?.changed ?? 0),
  );
}

export interface FolderStats {
  readonly workspace: string;
  readonly sessions: number;
  readonly messages: number;
  readonly bytes: number;
}

/** Returns the numbers of sessions and messages and the bytes on disk for each workspace. */
export async function folderStats(stateFolder: string): Promise<readonly FolderStats[]> {
  return (await allFolders(stateFolder)).map(({ workspace, sessions }) => ({
    workspace,
    sessions: sessions.length,
    messages: sessions.reduce((sum, { messages }) => sum + messages, 0),
    bytes: sessions.reduce((sum, { bytes }) => sum + bytes, 0),
  }));
}

function folders(root: string): readonly string[] {
  try {
    return readdirSync(root, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));
  } catch {
    return [];
  }
}

/** Returns the workspace to which the sessions of a folder were moved; undefined if they were not moved. */
function noteOf(folder: string): string | undefined {
  try {
    const note: unknown = JSON.parse(readPlainText(join(folder, folderNote)));
    const { workspace } = note as { readonly workspace?: unknown };
    return typeof workspace === "string" ? workspace : undefined;
  } catch {
    return undefined;
  }
}

async function headerOf(path: string): Promise<SessionHeader | undefined> {
  for await (const [first] of readLines(path)) {
    const record = readRecord(first?.text ?? "", "");
    return record.kind === "header" ? record.header : undefined;
  }
  return undefined;
}
