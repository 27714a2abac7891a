/** Maps the demo's kinds of calls to the offered tools and their parameter names. */
import type { ToolDefinition } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import type { ToolKind, Want } from "./script.ts";

const names: Readonly<Record<ToolKind, readonly string[]>> = {
  list: ["ls", "list_dir", "list_directory"],
  tree: ["get_file_tree", "tree"],
  read: ["read_file", "read"],
  search: ["grep_search", "grep", "search_files"],
  write: ["write_file", "write"],
  edit: ["edit_file", "edit", "replace"],
  mkdir: ["mkdir", "make_dir"],
  remove: ["remove", "delete_file"],
  run: ["bash", "run_cmd", "shell", "run_shell_command"],
  time: ["get_current_time"],
  folder: ["get_working_directory", "pwd"],
  "add-task": ["add_task"],
  "list-tasks": ["list_tasks"],
  "update-task": ["update_task"],
  "git-status": ["git_status"],
  "git-diff": ["git_diff"],
  "git-log": ["git_log"],
  "git-branch": ["git_current_branch"],
  "git-commit": ["git_commit_all"],
};

/** The other names that tools use for the parameters in the demo's rules. */
const parameterNames: Readonly<Record<string, readonly string[]>> = {
  path: ["file_path", "dirpath", "filepath", "dir_path", "filePath"],
  old_string: ["old_str", "oldText", "oldString"],
  new_string: ["new_str", "newText", "newString"],
  command: ["cmd"],
  pattern: ["query", "regex"],
};

export function toolFor(kind: ToolKind, tools: readonly ToolDefinition[]): ToolDefinition | undefined {
  for (const name of names[kind]) {
    const tool = tools.find((one) => one.name === name);
    if (tool !== undefined) return tool;
  }
  return undefined;
}

export function kindOf(name: string): ToolKind | undefined {
  return (Object.keys(names) as ToolKind[]).find((kind) => names[kind].includes(name));
}

/**
 * Returns the wanted call with the name and the parameter names of an offered tool. Returns undefined if no offered tool is of
 * the wanted kind.
 */
export function callFor(
  want: Want,
  tools: readonly ToolDefinition[],
): { name: string; arguments: JsonObject } | undefined {
  const tool = toolFor(want.kind, tools);
  if (tool === undefined) return undefined;
  const { properties } = tool.parameters;
  const named = Object.entries(want.arguments).map(([key, value]) => {
    const other = key in properties ? undefined : parameterNames[key]?.find((name) => name in properties);
    return [other ?? key, value] as const;
  });
  return { name: tool.name, arguments: Object.fromEntries(named) };
}
