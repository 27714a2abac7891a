/** Keeps the tools of MCP servers in `mcp-tools.json`, so that a session does not wait for servers that were used before. */
import { join } from "node:path";
import type { KnownTools, ToolMemory } from "@localharness/mcp";
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import { changeKept, loadKept } from "@localharness/store/kept-file/kept-file";
import { listKind } from "@localharness/store/kept-file/list-kind";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";

type Kept = KnownTools & { readonly entryHash: string };

const maxServers = 50;
/** The maximum size of the tools of one server as JSON, in characters. Larger tools are not kept. */
const maxChars = 512 * 1024;

const kind = listKind<Kept>({
  key: "servers",
  contents: "known tools of MCP servers",
  durable: false,
  expected: "a list with entryHash and tools",
  compact: true,
  read: (entry) => (isKept(entry) ? (entry as unknown as Kept) : undefined),
});

function isKept({ entryHash, tools }: JsonObject): boolean {
  return typeof entryHash === "string" && Array.isArray(tools) && tools.every(isJsonObject);
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
