/** Gives the index the source files of the workspace, with the same checks as for tools. */
import type { FileState, SourceFiles } from "@localharness/graph";
import { listFiles } from "@localharness/processes/search/list-files";
import type { ToolResources } from "@localharness/tools";
import { decodeText } from "@localharness/workspace/files/decode-text";
import { isOrdinary } from "@localharness/workspace/paths/ordinary";

/**
 * Returns access to the files of the workspace, except links, files that usually hold secrets, and protected files that are
 * not common in projects.
 */
export function sourceFiles(resources: Pick<ToolResources, "programs" | "workspace">): SourceFiles {
  const { workspace } = resources;
  return {
    list: (most, signal) => listFiles(resources, most, signal),
    stateOf(path) {
      const place = isOrdinary(path, workspace.root) ? workspace.locateEntry(path) : undefined;
      if (place?.ok !== true || place.value.path !== path) return undefined;
      const { stats } = place.value;
      return stats?.isFile() === true ? stateOf(stats) : undefined;
    },
    async read(path, maxBytes) {
      const opened = isOrdinary(path, workspace.root) ? workspace.openFile(path) : undefined;
      if (opened?.ok !== true) return { kind: "absent" };
      using file = opened.value;
      if (file.path !== path) return { kind: "absent" };
      const state = stateOf(file.stats);
      const bytes = await file.read(maxBytes + 1).catch(() => undefined);
      if (bytes === undefined) return { kind: "unreadable", reason: "it cannot be read", state };
      if (bytes.length > maxBytes) {
        return { kind: "unreadable", reason: `it has more than ${maxBytes} bytes`, state };
      }
      const text = decodeText(bytes)?.text;
      return text === undefined
        ? { kind: "unreadable", reason: "it is no text", state }
        : { kind: "text", text, state };
    },
  };
}

function stateOf({ size, mtimeMs }: FileState): FileState {
  return { size, mtimeMs };
}
