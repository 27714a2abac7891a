/** Keeps the tools of MCP servers in `mcp-tools.json`, so that a session does not wait for servers that were used before. */
import { join } from "node:path";
import type { KnownTools, ToolMemory } from "@localharness/mcp";
import { isJsonObject, type JsonValue } from "@localharness/protocol";
import { changeKept, type KeptKind, loadKept } from "@localharness/store/kept-file/kept-file";
import type { WriteJournal } from "@localharness/tools";

type Kept = KnownTools & { readonly entryHash: string };

const maxServers = 50;
/** The maximum size of the tools of one server as JSON, in characters. Larger tools are not kept. */
const maxChars = 512 * 1024;

const kind: KeptKind<readonly Kept[]> = {
  version: 1,
  empty: [],
  contents: "known tools of MCP servers",
  durable: false,
  read(text) {
    try {
      const value = JSON.parse(text) as JsonValue;
      if (!isJsonObject(value) || typeof value["version"] !== "number") {
        return { kind: "broken", problem: 'expected an object with a "version"' };
      }
      if (value["version"] > 1) return { kind: "newer", version: value["version"] };
      const { servers } = value;
      return Array.isArray(servers) && servers.every(isKept)
        ? { kind: "value", value: servers as unknown as readonly Kept[] }
        : { kind: "broken", problem: 'expected "servers": a list with entryHash and tools' };
    } catch {
      return { kind: "broken", problem: "it is not JSON" };
    }
  },
  write: (servers) => `${JSON.stringify({ version: 1, servers })}\n`,
};

function isKept(value: JsonValue): boolean {
  if (!isJsonObject(value) || typeof value["entryHash"] !== "string") return false;
  const { tools } = value;
  return Array.isArray(tools) && tools.every(isJsonObject);
}

/** Opens the known tools in the state folder. Without a folder none are kept. */
export function openKnownTools(folder: string | undefined, journal: WriteJournal): ToolMemory {
  if (folder === undefined) return { find: async () => undefined, keep: async () => undefined };
  const path = join(folder, "mcp-tools.json");
  const isOf = (entryHash: string) => (one: Kept) => one.entryHash === entryHash;
  return {
    async find(entryHash) {
      const { value } = await loadKept(path, kind);
      return value.find(isOf(entryHash));
    },
    async keep(entryHash, known) {
      const kept: Kept = { entryHash, ...known };
      const text = JSON.stringify(kept);
      const before = (await loadKept(path, kind)).value.find(isOf(entryHash));
      if (text.length > maxChars || JSON.stringify(before) === text) return;
      const edit = (all: readonly Kept[]) =>
        [...all.filter((one) => !isOf(entryHash)(one)), kept].slice(-maxServers);
      await changeKept(path, kind, journal, edit).catch(() => undefined);
    },
  };
}
