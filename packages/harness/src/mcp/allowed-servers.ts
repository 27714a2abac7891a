/** Keeps in `mcp-allowed.json` which MCP servers of projects the person has allowed, by folder, name and content. */
import { join } from "node:path";
import { configError } from "@localharness/engine";
import { isJsonObject, type JsonValue } from "@localharness/protocol";
import { changeKept, type KeptKind, loadKept } from "@localharness/store/kept-file/kept-file";
import type { WriteJournal } from "@localharness/tools";

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

const kind: KeptKind<readonly Allowed[]> = {
  version: 1,
  empty: [],
  contents: "allowed MCP servers",
  durable: true,
  read(text) {
    try {
      const value = JSON.parse(text) as JsonValue;
      if (!isJsonObject(value) || typeof value["version"] !== "number") {
        return { kind: "broken", problem: 'expected an object with a "version"' };
      }
      if (value["version"] > 1) return { kind: "newer", version: value["version"] };
      const { servers } = value;
      return Array.isArray(servers) && servers.every(isAllowed)
        ? { kind: "value", value: servers as unknown as readonly Allowed[] }
        : { kind: "broken", problem: 'expected "servers": a list with path, name and hash' };
    } catch {
      return { kind: "broken", problem: "it is not JSON" };
    }
  },
  write: (servers) => `${JSON.stringify({ version: 1, servers }, null, 2)}\n`,
};

function isAllowed(value: JsonValue): boolean {
  return isJsonObject(value) && ["path", "name", "hash"].every((key) => typeof value[key] === "string");
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
