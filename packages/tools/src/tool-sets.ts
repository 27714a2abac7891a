/** All built-in tools, and the named choices of them. */
import { HarnessError, type Tool } from "@localharness/engine";
import type { ToolResources } from "./resources.ts";

/** Every built-in tool, in the order in which models are told of them. */
export function createTools(_resources: ToolResources): Tool[] {
  return [];
}

export type ToolSetName = "minimal" | "standard" | "all";
const sets: Readonly<Record<ToolSetName, readonly string[]>> = {
  minimal: ["read_file", "edit_file", "write_file", "ls", "grep_search", "bash"],
  standard: [
    "read_file",
    "edit_file",
    "write_file",
    "ls",
    "grep_search",
    "bash",
    "get_file_tree",
    "replace_lines",
    "insert_lines",
    "git_status",
    "git_diff",
    "add_task",
    "list_tasks",
    "update_task",
  ],
  all: [],
};

export const toolSetNames: readonly ToolSetName[] = ["minimal", "standard", "all"];

/** The tools of a set, or of a list of names, in the order of `tools`. Throws `tool-unknown` for a name that is none. */
export function toolSet(tools: readonly Tool[], choice: string | readonly string[]): Tool[] {
  if (choice === "all") {
    return [...tools];
  }
  const names = typeof choice === "string" ? (sets[choice as ToolSetName] ?? [choice]) : choice;
  const unknown = names.find((name) => !tools.some((tool) => tool.name === name));
  if (unknown !== undefined) {
    throw new HarnessError(
      "tool-unknown",
      `There is no tool "${unknown}". Expected a set (${toolSetNames.join(", ")}) or names out of: ${tools.map((tool) => tool.name).join(", ")}.`,
    );
  }
  return tools.filter((tool) => names.includes(tool.name));
}
