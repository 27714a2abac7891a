/** Changes the person's `mcp.json` and keeps everything else in it. */
import { configError } from "@localharness/engine";
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import { readJsonSource } from "@localharness/store/json-source";
import { changeKept, type KeptKind } from "@localharness/store/kept-file/kept-file";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import { serversFile } from "./load-servers.ts";

/**
 * Replaces the servers with what `edit` returns. Rejects with a `HarnessError` if there is no home folder, or if the file is
 * not valid or cannot be written.
 */
export async function changeServers(
  folder: string | undefined,
  journal: WriteJournal,
  edit: (servers: JsonObject) => JsonObject,
): Promise<void> {
  const path = serversFile(folder);
  if (path === undefined) {
    throw configError("there is no home folder to keep servers in: set HOME or XDG_CONFIG_HOME");
  }
  await changeKept(path, kindOf(path), journal, (file) => {
    const { mcpServers } = file;
    return { ...file, mcpServers: edit(isJsonObject(mcpServers) ? mcpServers : {}) };
  });
}

/**
 * Returns how the file is read and written. Reading throws a `HarnessError` for an invalid file, so that a file that a
 * person has written is never replaced.
 */
function kindOf(path: string): KeptKind<JsonObject> {
  return {
    version: 1,
    empty: {},
    contents: "MCP servers",
    durable: true,
    read(text) {
      if (text.trim() === "") return { kind: "value", value: {} };
      const source = readJsonSource(text);
      if (!source.ok) throw configError(`${path}:${source.line}:${source.column}: ${source.message}`);
      if (!isJsonObject(source.value)) throw configError(`${path}:1: expected an object {...}`);
      return { kind: "value", value: source.value };
    },
    write: (file) => `${JSON.stringify(file, null, 2)}\n`,
  };
}
