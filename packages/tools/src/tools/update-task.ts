/** `update_task`: sets the status of a task. */
import { defineTool, type Tool, type ToolOutput } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { textArgument } from "../arguments.ts";
import { refused } from "../outcome.ts";
import type { ToolResources } from "../resources.ts";
import { taskStatuses } from "../tasks.ts";

export function updateTask(resources: ToolResources): Tool {
  return defineTool({
    name: "update_task",
    description: "Set the status of a task.",
    parameters: {
      type: "object",
      properties: {
        task_id: { type: "string", description: "as task_1" },
        status: { type: "string", enum: [...taskStatuses] },
      },
      required: ["task_id", "status"],
    },
    aliases: ["set_task_status", "complete_task", "update_todo", "todo_update"],
    parameterAliases: { task_id: ["id", "task", "taskId"], status: ["state", "new_status"] },
    risk: "safe",
    readOnly: false,
    execute: async (args) => update(resources, args),
  });
}

function update(resources: ToolResources, args: JsonObject): ToolOutput {
  const given = textArgument(args, "task_id")?.trim() ?? "";
  const id = /^\d+$/.test(given) ? `task_${given}` : given;
  const status = taskStatuses.find((known) => known === textArgument(args, "status"));
  if (status === undefined) {
    return refused("validation_failed", `status must be one of ${taskStatuses.join(", ")}.`);
  }
  const task = resources.tasks.update(id, status);
  if (task === undefined) {
    const ids = resources.tasks.list().map((known) => known.id);
    return refused(
      "not_found",
      `There is no task "${given}". ${ids.length === 0 ? "Add one with add_task." : `The tasks are: ${ids.join(", ")}.`}`,
    );
  }
  const data = `${task.id} is ${task.status}: ${task.content}`;
  return status === "completed"
    ? { ok: true, data, achieved: [{ kind: "task-done", subject: task.content }] }
    : { ok: true, data };
}
