/** `update_task`: sets the status of a task. The tool is made from a typed function. */
import {
  type ToolContext as CallContext,
  functionTool,
  type Tool,
  type ToolOutput,
} from "@localharness/engine";
import { refused } from "@localharness/workspace/outcome";
import type { SessionTasks } from "../parts/tasks.ts";
import { updateTaskSignature } from "./update-task.signature.ts";

interface Parts {
  readonly tasks: SessionTasks;
}

type ToolContext = CallContext & Parts;

/**
 * Set the status of a task.
 * @tool
 * @param task_id as task_1
 */
export function updateTask(
  task_id: string,
  status: "pending" | "in_progress" | "completed",
  context: ToolContext,
): ToolOutput {
  const { tasks } = context;
  const given = task_id.trim();
  const task = tasks.update(/^\d+$/.test(given) ? `task_${given}` : given, status);
  if (task === undefined) {
    const ids = tasks.list().map((known) => known.id);
    const advice = ids.length === 0 ? "Add one with add_task." : `The tasks are: ${ids.join(", ")}.`;
    return refused("not_found", `There is no task "${given}". ${advice}`);
  }
  const data = `${task.id} is ${task.status}: ${task.content}`;
  return status === "completed"
    ? { ok: true, data, achieved: [{ kind: "task-done", subject: task.content }] }
    : { ok: true, data };
}

export function updateTaskTool({ tasks }: Parts): Tool {
  const run = (id: string, status: Parameters<typeof updateTask>[1], context: CallContext) =>
    updateTask(id, status, { ...context, tasks });
  return functionTool(run, updateTaskSignature, {
    aliases: ["set_task_status", "complete_task", "update_todo", "todo_update"],
    parameterAliases: { task_id: ["id", "task"], status: ["state", "new_status"] },
    risk: "safe",
    readOnly: false,
  });
}
