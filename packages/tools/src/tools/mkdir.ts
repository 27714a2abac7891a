/** `mkdir`: creates a folder and its missing parents. */
import { defineTool, type Tool, type ToolOutput } from "@localharness/engine";
import type { Changes } from "@localharness/workspace/changes/changes";
import { runChange } from "@localharness/workspace/changes/hold-to-examined";
import { everyEdit } from "@localharness/workspace/examine/examine-edit";
import type { PathExaminer } from "@localharness/workspace/examine/planned-touch";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { folderAliases } from "../parts/aliases.ts";
import { textArgument } from "../parts/arguments.ts";

interface Parts extends PathExaminer {
  readonly workspace: Workspace;
  readonly changes: Changes;
}

export function mkdir(resources: Parts): Tool {
  return defineTool({
    name: "mkdir",
    description: "Make a folder, with those above it.",
    parameters: {
      type: "object",
      properties: { path: { type: "string", format: "path" } },
      required: ["path"],
    },
    aliases: ["make_dir", "make_directory", "create_directory", "create_dir", "create_folder", "mkdirs"],
    parameterAliases: { path: folderAliases },
    risk: "high",
    readOnly: false,
    editsFiles: true,
    examine: (args) => {
      const path = textArgument(args, "path") ?? "";
      const effect = `makes the folder ${JSON.stringify(path)}`;
      const facts = resources.examinePaths([{ path, access: "write" }]);
      return { ...facts, kind: everyEdit(facts), effect };
    },
    foresee: async (args, _signal, mayShow) => {
      const path = textArgument(args, "path") ?? "";
      return mayShow ? foreseen(resources, path) : undefined;
    },
    execute: (args, context) =>
      runChange(resources, context, (held) => make(held, textArgument(args, "path") ?? "")),
  });
}

/** Returns the output for a path that exists; undefined for any other path. */
function foreseen({ workspace }: Parts, path: string): ToolOutput | undefined {
  const place = workspace.locate(path);
  if (!place.ok || place.value.stats === undefined) return undefined;
  const opened = workspace.openDirectory(path);
  if (!opened.ok) return opened;
  opened.value[Symbol.dispose]();
  return existing(opened.value.path);
}

function existing(path: string): ToolOutput {
  return { ok: true, data: `The folder ${path}/ exists already.` };
}

async function make({ changes, workspace }: Parts, wanted: string): Promise<ToolOutput> {
  await changes.makingFolders(workspace, wanted, true);
  const made = workspace.makeDirectory(wanted);
  if (!made.ok) return made;
  const { path, created } = made.value;
  return created === 0
    ? existing(path)
    : { ok: true, data: `Created the folder ${path}/.`, achieved: [{ kind: "wrote", subject: path }] };
}
