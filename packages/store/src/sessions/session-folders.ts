/** The sessions of all workspaces. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readLines } from "../kept-file/read-lines.ts";
import { type ListedSession, listSessionFiles } from "./list-sessions.ts";
import { readRecord } from "./session-record.ts";

export interface WorkspaceSessions {
  /** Real path. */
  readonly workspace: string;
  readonly sessions: readonly ListedSession[];
}

/** Newest workspace first; folders without sessions are left out. */
export async function allFolders(stateFolder: string): Promise<readonly WorkspaceSessions[]> {
  const root = join(stateFolder, "sessions");
  const found: WorkspaceSessions[] = [];
  for (const name of folders(root)) {
    const folder = join(root, name);
    const sessions = await listSessionFiles(folder);
    const [newest] = sessions;
    if (newest === undefined) continue;
    // Another program may just have deleted it.
    const workspace = await workspaceOf(join(folder, `${newest.id}.jsonl`)).catch(() => undefined);
    found.push({ workspace: workspace ?? name, sessions });
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

async function workspaceOf(path: string): Promise<string | undefined> {
  for await (const [first] of readLines(path)) {
    const record = readRecord(first?.text ?? "", "");
    return record.kind === "header" ? record.header.workspace : undefined;
  }
  return undefined;
}
