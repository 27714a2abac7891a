/** `get_file_tree`: lists the paths of the files below a folder as a JSON array, without what `.gitignore` excludes. */

import { defineTool, type Tool, type ToolContext, type ToolOutput } from "@localharness/engine";
import type { OutputFolder } from "@localharness/processes/children/output-folder";
import type { ListingParts } from "@localharness/processes/search/list-files";
import { runRipgrep, skippedFolders } from "@localharness/processes/search/ripgrep";
import { isThere } from "@localharness/processes/search/verify-matches";
import type { JsonObject } from "@localharness/protocol";
import { countText } from "@localharness/protocol";
import { holdToExamined } from "@localharness/workspace/changes/hold-to-examined";
import type { PathExaminer } from "@localharness/workspace/examine/planned-touch";
import { folderAliases } from "../parts/aliases.ts";
import { folderArgument } from "../parts/arguments.ts";
import { keepWhole } from "../parts/cut-result.ts";

interface Parts extends PathExaminer, ListingParts {
  readonly outputs: OutputFolder;
  resultLimit(): number;
}

const maxPaths = 2000;
/** The maximum number of files that are counted. For more, the result says "more than". */
const maxCounted = 50_000;

export function getFileTree(resources: Parts): Tool {
  return defineTool({
    name: "get_file_tree",
    description: "The paths of all files as a JSON array, without what .gitignore excludes.",
    parameters: { type: "object", properties: { path: { type: "string", format: "path" } } },
    aliases: ["file_tree", "tree", "list_tree", "directory_tree"],
    parameterAliases: { path: folderAliases },
    risk: "safe",
    readOnly: true,
    timeoutMs: 40_000,
    examine: (args) =>
      resources.examinePaths([{ path: folderArgument(args), access: "read", namesOnly: true }]),
    execute: (args, context) => listTree(resources, args, context),
  });
}

async function listTree(resources: Parts, args: JsonObject, context: ToolContext): Promise<ToolOutput> {
  const opened = holdToExamined(resources, context).workspace.openDirectory(folderArgument(args));
  if (!opened.ok) return opened;
  using directory = opened.value;
  const prefix = directory.path === "." ? "" : `${directory.path}/`;
  const paths: string[] = [];
  let size = 2;
  let shown = 0;
  const ended = await runRipgrep(resources.programs, {
    args: ["--files", "--hidden", ...skippedFolders, "--", "./"],
    cwd: directory.base.replace(/^\/proc\/self\//, `/proc/${process.pid}/`),
    signal: context.signal,
    isThere: (path) => isThere(resources.workspace, prefix + path),
    onLine: (line) => {
      const path = prefix + line.replace(/^\.\//, "");
      size += JSON.stringify(path).length + 1;
      if (shown < maxPaths && size <= resources.resultLimit() && shown === paths.length) shown += 1;
      paths.push(path);
      return paths.length <= maxCounted;
    },
  });
  if (!ended.ok) return ended;
  const there = paths.slice(0, shown).filter((path) => isThere(resources.workspace, path));
  if (shown === paths.length) return { ok: true, data: JSON.stringify(there) };
  const count = ended.value.stopped ? `more than ${maxCounted} files` : countText(paths.length, "file");
  const file = keepWhole(resources.outputs, paths.map((path) => `${path}\n`).join(""));
  const rest = file === undefined ? "" : `${file} has all that were counted: read_file reads it. Or `;
  const note = `showing ${shown} of ${count}; ${rest}give path for a subfolder, or use ls and grep_search`;
  return { ok: true, data: JSON.stringify(there), notes: [note] };
}
