/** Keeps in `mcp-allowed.json` which MCP servers of projects the person has allowed, by folder, name and content. */
import { join } from "node:path";
import { configError } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { changeKept, loadKept } from "@localharness/store/kept-file/kept-file";
import { listKind } from "@localharness/store/kept-file/list-kind";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";

export interface AllowedServers {
  /** Returns the hashes that are allowed in this folder. Never rejects: an unreadable file allows nothing. */
  hashes(workspace: string): Promise<ReadonlySet<string>>;
  /** Allows the server `name` while its entry has this hash. Rejects with a `HarnessError` if that cannot be saved. */
  allow(workspace: string, name: string, hash: string): Promise<void>;
  /** Removes the permission of a server. Returns false if there was no permission. Rejects like `allow`. */
  forget(workspace: string, name: string): Promise<boolean>;
}

interface Allowed {
  readonly path: string;
  readonly name: string;
  readonly hash: string;
}

const kind = listKind<Allowed>({
  key: "servers",
  contents: "allowed MCP servers",
  durable: true,
  expected: "a list with path, name and hash",
  read: (entry) => (isAllowed(entry) ? (entry as unknown as Allowed) : undefined),
});

function isAllowed(entry: JsonObject): boolean {
  return ["path", "name", "hash"].every((key) => typeof entry[key] === "string");
}

export function openAllowedServers(folder: string | undefined, journal: WriteJournal): AllowedServers {
  if (folder === undefined) {
    return {
      hashes: async () => new Set(),
      allow: () => Promise.reject(configError("there is no home folder to save the permission in: set HOME")),
      forget: async () => false,
    };
  }
  const path = join(folder, "mcp-allowed.json");
  const isSame = (one: Allowed, workspace: string, name: string) =>
    one.path === workspace && one.name === name;
  return {
    async hashes(workspace) {
      const { value } = await loadKept(path, kind);
      return new Set(value.filter((one) => one.path === workspace).map(({ hash }) => hash));
    },
    async allow(workspace, name, hash) {
      await changeKept(path, kind, journal, (all) => [
        ...all.filter((one) => !isSame(one, workspace, name)),
        { path: workspace, name, hash },
      ]);
    },
    async forget(workspace, name) {
      const others = (all: readonly Allowed[]) => all.filter((one) => !isSame(one, workspace, name));
      const before = await changeKept(path, kind, journal, others);
      return others(before).length < before.length;
    },
  };
}
