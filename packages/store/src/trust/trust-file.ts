/** Which folders the person trusts: by real path and owner, in trust.json. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { configError } from "@localharness/engine";
import { isJsonObject, type JsonValue } from "@localharness/protocol";
import type { WriteJournal } from "@localharness/tools";
import { readJsonSource } from "../json-source.ts";
import { changeKept, type KeptKind, type KeptText, loadKept } from "../kept-file/kept-file.ts";

export interface FolderTrust {
  /** Real path. */
  readonly path: string;
  /** User id of the folder's owner when the person decided; another owner is another folder. */
  readonly owner: number;
  readonly trusted: boolean;
  /** Unix milliseconds. */
  readonly decided: number;
}

export interface TrustStore {
  /** What the person decided about the folder; undefined when nothing yet. */
  find(path: string): Promise<{ readonly trusted: boolean | undefined; readonly warning?: string }>;
  list(): Promise<readonly FolderTrust[]>;
  /** Rejects with a `HarnessError` when it could not be kept. */
  set(path: string, trusted: boolean): Promise<void>;
  /** True when something was decided about it. */
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

/** The store in `folder`; undefined: nowhere to keep anything, so that every folder is new. */
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
      const owner = ownerOf(workspace);
      const found =
        owner === unknownOwner
          ? undefined
          : loaded.value.find((one) => one.path === workspace && one.owner === owner);
      return {
        trusted: found?.trusted,
        ...(loaded.warning === undefined ? {} : { warning: loaded.warning }),
      };
    },
    list: async () => (await load()).value,
    async set(workspace, trusted) {
      const decided = { path: workspace, owner: ownerOf(workspace), trusted, decided: Date.now() };
      await change((folders) => [...folders.filter((one) => one.path !== workspace), decided]);
    },
    async forget(workspace) {
      const before = await change((folders) => folders.filter((one) => one.path !== workspace));
      return before.some((one) => one.path === workspace);
    },
  };
}

const unknownOwner = -1;

/** A folder that is gone, or that the system says nothing of, is nobody's: no decision holds for it. */
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
  if (!isJsonObject(source.value))
    return { kind: "broken", problem: "line 1: expected an object with version and folders" };
  const { version, folders } = source.value;
  if (typeof version === "number" && version > trustKind.version) return { kind: "newer", version };
  if (version !== trustKind.version || !Array.isArray(folders))
    return { kind: "broken", problem: `expected "version": ${trustKind.version} and "folders": [...]` };
  const read = folders.map(readFolder);
  const wrong = read.indexOf(undefined);
  if (wrong >= 0)
    return {
      kind: "broken",
      problem: `line ${source.lineOf(`folders.${wrong}`)}: expected path, owner, trusted and decided`,
    };
  return { kind: "value", value: read.filter((one) => one !== undefined) };
}

function readFolder(value: JsonValue): FolderTrust | undefined {
  if (!isJsonObject(value)) return undefined;
  const { path, owner, trusted, decided } = value;
  const right =
    typeof path === "string" &&
    typeof owner === "number" &&
    typeof trusted === "boolean" &&
    typeof decided === "number";
  return right ? { path, owner, trusted, decided } : undefined;
}
