/** Remembers in `told-notices.json`, as hashes, which notices the person has already seen in which folder. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { isJsonObject, type JsonValue } from "@localharness/protocol";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import { readJsonSource } from "../json-source.ts";
import { changeKept, type KeptKind, type KeptText, readKept } from "../kept-file/kept-file.ts";

const maxFolders = 200;
const maxNotices = 30;

interface ToldFolder {
  readonly folder: string;
  /** The hashes of the notices; the newest one is at the end. */
  readonly told: readonly string[];
}

const toldKind: KeptKind<readonly ToldFolder[]> = {
  version: 1,
  empty: [],
  contents: "notices",
  durable: false,
  read: readToldText,
  write: (folders) => `${JSON.stringify({ version: 1, folders })}\n`,
};

/**
 * Returns the notices that the person has not yet seen in the workspace, and remembers them as seen. Returns all notices if
 * there is no state folder, or if the file cannot be read or written. Never rejects.
 */
export async function newNotices(
  stateFolder: string | undefined,
  workspace: string,
  notices: readonly string[],
  journal: WriteJournal,
): Promise<readonly string[]> {
  if (stateFolder === undefined || notices.length === 0) return notices;
  const path = join(stateFolder, "told-notices.json");
  const folder = hashOf(workspace);
  try {
    const state = await readKept(path, toldKind);
    const told = state.kind === "value" ? toldIn(state.value, folder) : [];
    const news = notices.filter((notice) => !told.includes(hashOf(notice)));
    if (news.length > 0) {
      const hashes = news.map(hashOf);
      await changeKept(path, toldKind, journal, (folders) => withTold(folders, folder, hashes));
    }
    return news;
  } catch {
    return notices;
  }
}

function toldIn(folders: readonly ToldFolder[], folder: string): readonly string[] {
  return folders.find((one) => one.folder === folder)?.told ?? [];
}

function withTold(
  folders: readonly ToldFolder[],
  folder: string,
  hashes: readonly string[],
): readonly ToldFolder[] {
  const told = [...new Set([...toldIn(folders, folder), ...hashes])].slice(-maxNotices);
  return [...folders.filter((one) => one.folder !== folder), { folder, told }].slice(-maxFolders);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

export function readToldText(text: string): KeptText<readonly ToldFolder[]> {
  const source = readJsonSource(text);
  if (!source.ok) return { kind: "broken", problem: `line ${source.line}: ${source.message}` };
  const { version, folders } = isJsonObject(source.value) ? source.value : {};
  if (typeof version === "number" && version > toldKind.version) return { kind: "newer", version };
  const read = Array.isArray(folders) ? folders.map(readFolder) : [undefined];
  const value = read.filter((one) => one !== undefined);
  if (version !== toldKind.version || value.length < read.length) {
    return { kind: "broken", problem: `expected "version": ${toldKind.version} and "folders": [...]` };
  }
  return { kind: "value", value };
}

function readFolder(value: JsonValue): ToldFolder | undefined {
  if (!isJsonObject(value)) return undefined;
  const { folder, told } = value;
  if (typeof folder !== "string" || !Array.isArray(told)) return undefined;
  return { folder, told: told.filter((one) => typeof one === "string") };
}
