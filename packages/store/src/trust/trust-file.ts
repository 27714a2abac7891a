/** Keeps the person's decisions about trusted folders in trust.json, by real path and owner. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { configError } from "@localharness/engine";
import { defined, isJsonObject, type JsonValue } from "@localharness/protocol";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import { repositoryRoot } from "@localharness/workspace/git-files/repository-root";
import { readJsonSource } from "../json-source.ts";
import { changeKept, type KeptKind, type KeptText, loadKept } from "../kept-file/kept-file.ts";

export interface FolderTrust {
  /** The real path of the folder. */
  readonly path: string;
  /** The user id of the folder's owner at the time of the decision. The decision does not hold if the owner changes. */
  readonly owner: number;
  readonly trusted: boolean;
  /** The mode in which sessions of this folder begin; absent if the person chose none. */
  readonly mode?: "auto";
  /** The time of the decision, in Unix milliseconds. */
  readonly decided: number;
}

export interface FoundTrust {
  readonly trusted: boolean | undefined;
  readonly mode?: "auto";
  /** A message for the person that says why the file could not be read. */
  readonly warning?: string;
}

export interface TrustStore {
  /**
   * Returns the person's decision about the folder, or else about the root of its repository; `path` is its real path.
   * `trusted` is undefined if no decision holds, or if the file cannot be used. Renames a damaged file. Never rejects.
   */
  find(path: string): Promise<FoundTrust>;
  list(): Promise<readonly FolderTrust[]>;
  /** Saves a decision in place of an earlier one. Rejects with a `HarnessError` if it cannot be saved. */
  set(path: string, trusted: boolean, mode?: "auto"): Promise<void>;
  /** Removes a decision. Returns false if there was none. Rejects like `set`. */
  forget(path: string): Promise<boolean>;
}

const trustKind: KeptKind<readonly FolderTrust[]> = {
  version: 1,
  empty: [],
  contents: "decisions about folders",
  durable: true,
  read: readTrustText,
  write: (folders) => `${JSON.stringify({ version: 1, folders }, null, 2)}\n`,
};

/** Opens the store in `folder`. If `folder` is undefined, nothing can be saved, and no folder has a decision. */
export function openTrustFile(folder: string | undefined, journal: WriteJournal): TrustStore {
  const path = folder === undefined ? undefined : join(folder, "trust.json");
  const load = () => (path === undefined ? Promise.resolve({ value: [] }) : loadKept(path, trustKind));
  const change = (edit: (folders: readonly FolderTrust[]) => readonly FolderTrust[]) => {
    if (path !== undefined) return changeKept(path, trustKind, journal, edit);
    const message = "there is no home folder to keep decisions in: set HOME or XDG_CONFIG_HOME";
    return Promise.reject(configError(message));
  };
  return {
    async find(workspace) {
      const loaded: { value: readonly FolderTrust[]; warning?: string } = await load();
      const decision = (folder: string | undefined) => {
        const owner = folder === undefined ? unknownOwner : ownerOf(folder);
        if (owner === unknownOwner) return undefined;
        return loaded.value.find((one) => one.path === folder && one.owner === owner);
      };
      const found = decision(workspace) ?? decision(repositoryRoot(workspace));
      return {
        trusted: found?.trusted,
        ...defined({ mode: found?.mode, warning: loaded.warning }),
      };
    },
    list: async () => (await load()).value,
    async set(workspace, trusted, mode) {
      const owner = ownerOf(workspace);
      const decided = { path: workspace, owner, trusted, ...defined({ mode }), decided: Date.now() };
      await change((folders) => [...folders.filter((one) => one.path !== workspace), decided]);
    },
    async forget(workspace) {
      const before = await change((folders) => folders.filter((one) => one.path !== workspace));
      return before.some((one) => one.path === workspace);
    },
  };
}

const unknownOwner = -1;

/**
 * Returns the folder's owner. Returns `unknownOwner` for a missing or unreadable folder, for which no decision holds.
 */
function ownerOf(path: string): number {
  try {
    return lstatSync(path).uid;
  } catch {
    return unknownOwner;
  }
}

export function readTrustText(text: string): KeptText<readonly FolderTrust[]> {
  const source = readJsonSource(text);
  if (!source.ok) return { kind: "broken", problem: `line ${source.line}: ${source.message}` };
  if (!isJsonObject(source.value)) {
    return { kind: "broken", problem: "line 1: expected an object with version and folders" };
  }
  const { version, folders } = source.value;
  if (typeof version === "number" && version > trustKind.version) return { kind: "newer", version };
  if (version !== trustKind.version || !Array.isArray(folders)) {
    return { kind: "broken", problem: `expected "version": ${trustKind.version} and "folders": [...]` };
  }
  const read = folders.map(readFolder);
  const wrong = read.indexOf(undefined);
  if (wrong >= 0) {
    return {
      kind: "broken",
      problem: `line ${source.lineOf(`folders.${wrong}`)}: expected path, owner, trusted and decided`,
    };
  }
  return { kind: "value", value: read.filter((one) => one !== undefined) };
}

function readFolder(value: JsonValue): FolderTrust | undefined {
  if (!isJsonObject(value)) return undefined;
  const { path, owner, trusted, mode, decided } = value;
  const right =
    typeof path === "string" &&
    typeof owner === "number" &&
    typeof trusted === "boolean" &&
    typeof decided === "number";
  return right ? { path, owner, trusted, ...(mode === "auto" ? { mode } : {}), decided } : undefined;
}
