/** `list_tasks`: lists the session's tasks as a JSON array. */
import { defineTool, type Tool } from "@localharness/engine";
import type { SessionTasks } from "../parts/tasks.ts";

interface Parts {
  readonly tasks: SessionTasks;
}

export function listTasks(resources: Parts): Tool {
  return defineTool({
    name: "list_tasks",
    description: "All tasks with id, status and content.",
    parameters: { type: "object", properties: {} },
    aliases: ["get_tasks", "show_tasks", "list_todos", "todo_list"],
    risk: "safe",
    readOnly: true,
    fingerprint: async () => String(resources.tasks.revision()),
    execute: async () => ({ ok: true, data: JSON.stringify(resources.tasks.list()) }),
  });
}
