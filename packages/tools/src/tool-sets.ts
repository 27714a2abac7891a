/** Creates the built-in tools and selects them by set or by name. */
import { HarnessError, type Tool } from "@localharness/engine";
import { withDiagnostics } from "./diagnostics/with-diagnostics.ts";
import { withinShare } from "./parts/cut-result.ts";
import { takingNames } from "./parts/taking-names.ts";
import type { ToolResources } from "./resources/resources.ts";
import { readChoice } from "./tool-choice.ts";
import { addTask } from "./tools/add-task.ts";
import { bash } from "./tools/bash.ts";
import { editFile } from "./tools/edit-file.ts";
import { currentTimeTool } from "./tools/get-current-time.ts";
import { getFileTree } from "./tools/get-file-tree.ts";
import { workingDirectoryTool } from "./tools/get-working-directory.ts";
import { gitCommitAll } from "./tools/git-commit-all.ts";
import { gitCurrentBranch } from "./tools/git-current-branch.ts";
import { gitDiff } from "./tools/git-diff.ts";
import { gitLog } from "./tools/git-log.ts";
import { gitStatus } from "./tools/git-status.ts";
import { grepSearch } from "./tools/grep-search.ts";
import { insertLines } from "./tools/insert-lines.ts";
import { listTasks } from "./tools/list-tasks.ts";
import { ls } from "./tools/ls.ts";
import { mkdir } from "./tools/mkdir.ts";
import { readFile } from "./tools/read-file.ts";
import { readOutput } from "./tools/read-output.ts";
import { remove } from "./tools/remove.ts";
import { replaceLines } from "./tools/replace-lines.ts";
import { updateTaskTool } from "./tools/update-task.ts";
import { webFetch } from "./tools/web-fetch.ts";
import { webSearch } from "./tools/web-search.ts";
import { writeFile } from "./tools/write-file.ts";

/** The functions that create the tools, in the order in which the tools are offered to models. */
const factories: readonly ((resources: ToolResources) => Tool)[] = [
  ls,
  getFileTree,
  readFile,
  grepSearch,
  editFile,
  writeFile,
  replaceLines,
  insertLines,
  mkdir,
  remove,
  bash,
  readOutput,
  gitStatus,
  gitDiff,
  gitLog,
  gitCurrentBranch,
  gitCommitAll,
  addTask,
  listTasks,
  updateTaskTool,
  currentTimeTool,
  workingDirectoryTool,
];

/**
 * Returns the built-in tools except `run_agent`. `web_fetch` is included only if the resources have access to the web, and
 * `web_search` only if they also have a search service.
 */
export function createTools(resources: ToolResources): Tool[] {
  const { web } = resources;
  const local = factories.map((factory) =>
    notingSecrets(
      takingNames(withDiagnostics(withinShare(factory(resources), resources), resources), resources),
      resources,
    ),
  );
  if (web === undefined) return local;
  const searching = web.search === undefined ? [] : [webSearch(web.search, web)];
  const reaching = [webFetch(resources, web), ...searching];
  return [...local, ...reaching.map((tool) => withinShare(tool, resources))];
}

/** Returns a copy of the tool that notes the files of secrets that a call reads, whose values are then no longer hidden. */
function notingSecrets(tool: Tool, { secrets }: ToolResources): Tool {
  return {
    ...tool,
    execute(args, context) {
      secrets.allow(context.examined);
      return tool.execute(args, context);
    },
  };
}

export type ToolSetName = "minimal" | "standard" | "all";

const minimal = ["ls", "read_file", "grep_search", "edit_file", "write_file", "bash"];
const sets: Readonly<Record<Exclude<ToolSetName, "all">, readonly string[]>> = {
  minimal,
  standard: [
    ...minimal,
    "read_output",
    "replace_lines",
    "insert_lines",
    "remove",
    "git_status",
    "git_diff",
    "git_commit_all",
    "add_task",
    "list_tasks",
    "update_task",
    "get_current_time",
  ],
};

export const toolSetNames: readonly ToolSetName[] = ["minimal", "standard", "all"];

/**
 * Returns the chosen tools, in the order of `tools`. A choice is a set, a tool, or a list of both; in a list a tool after
 * `-` is left out, and a list of only such tools begins with the set `standard`. Throws `tool-unknown` for any other name.
 */
export function toolSet(tools: readonly Tool[], choice: string | readonly string[]): Tool[] {
  const { named, left } = readChoice(typeof choice === "string" ? [choice] : choice);
  const all = tools.map((tool) => tool.name);
  const names = named.flatMap((name) => namesOf(name, all));
  const unknown = [...names, ...left].find((name) => !all.includes(name));
  if (unknown !== undefined) {
    throw new HarnessError(
      "tool-unknown",
      `There is no tool "${unknown}". Expected a set (${toolSetNames.join(", ")}) or names out of: ${all.join(", ")}.`,
    );
  }
  return tools.filter((tool) => names.includes(tool.name) && !left.includes(tool.name));
}

function namesOf(choice: string, all: readonly string[]): readonly string[] {
  if (choice === "all") return all;
  return choice === "minimal" || choice === "standard" ? sets[choice] : [choice];
}
