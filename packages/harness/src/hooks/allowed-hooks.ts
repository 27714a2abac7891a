/** Which hooks of which projects the person has allowed, in `hooks.json` of the configuration: by folder and content. */
import { join } from "node:path";
import { isJsonObject, type JsonValue } from "@localharness/protocol";
import { changeKept, type KeptKind, loadKept } from "@localharness/store/kept-file/kept-file";
import type { WriteJournal } from "@localharness/tools";

export interface AllowedHooks {
  /** Never rejects: a file that cannot be read allows nothing. */
  isAllowed(workspace: string, hash: string): Promise<boolean>;
  /** Rejects with a `HarnessError` when it cannot be kept. */
  allow(workspace: string, hash: string): Promise<void>;
  /** True when something was allowed. */
  forget(workspace: string): Promise<boolean>;
}

interface Allowed {
  readonly path: string;
  readonly hash: string;
}

const kind: KeptKind<readonly Allowed[]> = {
  version: 1,
  empty: [],
  contents: "allowed hooks",
  durable: true,
  read(text) {
    try {
      const value = JSON.parse(text) as JsonValue;
      if (!isJsonObject(value) || typeof value["version"] !== "number")
        return { kind: "broken", problem: "no version" };
      if (value["version"] > 1) return { kind: "newer", version: value["version"] };
      const { projects } = value;
      return Array.isArray(projects) && projects.every(isAllowedEntry)
        ? { kind: "value", value: projects as unknown as readonly Allowed[] }
        : { kind: "broken", problem: "projects are not as expected" };
    } catch {
      return { kind: "broken", problem: "no JSON" };
    }
  },
  write: (projects) => `${JSON.stringify({ version: 1, projects }, null, 2)}\n`,
};

function isAllowedEntry(value: JsonValue): boolean {
  return isJsonObject(value) && typeof value["path"] === "string" && typeof value["hash"] === "string";
}

export function openAllowedHooks(folder: string | undefined, journal: WriteJournal): AllowedHooks {
  if (folder === undefined) {
    return {
      isAllowed: async () => false,
      allow: () => Promise.reject(new Error("there is no home folder to keep it in: set HOME")),
      forget: async () => false,
    };
  }
  const path = join(folder, "hooks.json");
  return {
    isAllowed: async (workspace, hash) => {
      const { value } = await loadKept(path, kind);
      return value.some((one) => one.path === workspace && one.hash === hash);
    },
    allow: async (workspace, hash) => {
      await changeKept(path, kind, journal, (all) => [
        ...all.filter((one) => one.path !== workspace),
        { path: workspace, hash },
      ]);
    },
    forget: async (workspace) => {
      const before = await changeKept(path, kind, journal, (all) =>
        all.filter((one) => one.path !== workspace),
      );
      return before.some((one) => one.path === workspace);
    },
  };
}
