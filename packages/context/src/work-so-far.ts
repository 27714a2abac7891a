/** Reads from the calls of a session which tasks are open and which files were read and changed. */
import type { ListedResult } from "./list-results.ts";

export interface WorkSoFar {
  /** The tasks that are not completed, as `task_1 (pending): write the parser`. */
  readonly openTasks: readonly string[];
  /** The paths of files that a tool changed, in the order of the last change. */
  readonly changed: readonly string[];
  /** The paths of files that were read and not changed, in the order of the last read. */
  readonly read: readonly string[];
  /** The results that the lists above describe completely, so that nothing else need be said about them. */
  readonly told: ReadonlySet<ListedResult>;
}

const changing: ReadonlySet<string> = new Set([
  "edit_file",
  "write_file",
  "replace_lines",
  "insert_lines",
  "remove",
]);
const reading = "read_file";
const taskLine = /^(task_\d+) is (pending|in_progress|completed): (.*)$/s;

/**
 * Returns what the successful calls did. `results` are in the order of the calls. A call without readable arguments is in none
 * of the lists.
 */
export function workSoFar(results: readonly ListedResult[]): WorkSoFar {
  const tasks = new Map<string, { status: string; content: string }>();
  const changed = new Set<string>();
  const read = new Set<string>();
  const told = new Set<ListedResult>();
  for (const result of results) {
    if (result.result.fields["success"] !== true) continue;
    const { toolName, args } = result;
    const { text } = result.result;
    const path = textOf(args["path"]);
    const added = toolName === "add_task" ? textOf(args["content"]) : undefined;
    if (added !== undefined) {
      tasks.set(text, { status: "pending", content: added });
      told.add(result);
    }
    const [, id, status, content] = (toolName === "update_task" && taskLine.exec(text)) || [];
    if (id !== undefined && status !== undefined && content !== undefined) {
      tasks.set(id, { status, content });
      told.add(result);
    }
    if (path === undefined || (toolName !== reading && !changing.has(toolName))) continue;
    const files = toolName === reading ? read : changed;
    files.delete(path);
    files.add(path);
    told.add(result);
  }
  const open = [...tasks].filter(([, { status }]) => status !== "completed");
  return {
    openTasks: open.map(([id, { status, content }]) => `${id} (${status}): ${content}`),
    changed: [...changed],
    read: [...read].filter((path) => !changed.has(path)),
    told,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
