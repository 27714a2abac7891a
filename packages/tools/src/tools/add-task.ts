/** `add_task`: adds a task to the session's list. */
import { defineTool, type Tool } from "@localharness/engine";
import { refused } from "@localharness/workspace/outcome";
import { textArgument } from "../parts/arguments.ts";
import type { SessionTasks } from "../parts/tasks.ts";

interface Parts {
  readonly tasks: SessionTasks;
}

export function addTask(resources: Parts): Tool {
  return defineTool({
    name: "add_task",
    description: "Add a task to the list. Gives its id.",
    parameters: { type: "object", properties: { content: { type: "string" } }, required: ["content"] },
    aliases: ["create_task", "new_task", "add_todo", "todo_add"],
    parameterAliases: { content: ["task", "text", "title", "description", "name", "todo"] },
    risk: "safe",
    readOnly: false,
    execute: async (args) => {
      const content = textArgument(args, "content")?.trim() ?? "";
      return content === ""
        ? refused("validation_failed", "content is empty: say what the task is.")
        : { ok: true, data: resources.tasks.add(content).id };
    },
  });
}
