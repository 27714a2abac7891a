/** Builds the model's task list from the results of its task tools: add_task, update_task, list_tasks. */
import type { SessionEvent } from "./event.ts";

export interface TaskList {
  take(event: SessionEvent): void;
  /** Returns the tasks in the order in which they first appeared. */
  tasks(): readonly ShownTask[];
}

export interface ShownTask {
  readonly id: string;
  readonly content: string;
  readonly status: string;
}

const marks: ReadonlyMap<string, string> = new Map([
  ["completed", "✓"],
  ["in_progress", "▸"],
]);

/** Returns the symbol in front of a task: ✓ completed, ▸ in progress, ○ for any other status. */
export function taskMark(status: string): string {
  return marks.get(status) ?? "○";
}

/** Returns one line for each task, or a line that says there are none. */
export function taskLines(tasks: readonly ShownTask[]): readonly string[] {
  if (tasks.length === 0) return ["the model has no tasks"];
  return tasks.map(({ content, status }) => `${taskMark(status)} ${content}`);
}

export function createTaskList(): TaskList {
  const tasks = new Map<string, ShownTask>();
  const asked = new Map<string, string>();
  return {
    tasks: () => [...tasks.values()],
    take(event) {
      if (event.type === "tool-start" && event.toolName === "add_task") {
        const { content } = event.arguments;
        if (typeof content === "string") asked.set(event.callId, content);
      }
      if (event.type !== "tool-result" || !event.result.success) return;
      for (const task of toldTasks(event.toolName, event.result.data ?? "", asked.get(event.callId)))
        tasks.set(task.id, task);
      asked.delete(event.callId);
    },
  };
}

function toldTasks(tool: string, data: string, content: string | undefined): readonly ShownTask[] {
  if (tool === "add_task") return content === undefined ? [] : [{ id: data, content, status: "pending" }];
  if (tool === "list_tasks") return listedTasks(data);
  const told = tool === "update_task" ? /^(\S+) is (\w+): ([\s\S]*)$/.exec(data) : null;
  return told === null ? [] : [{ id: told[1] ?? "", status: told[2] ?? "", content: told[3] ?? "" }];
}

function listedTasks(data: string): readonly ShownTask[] {
  try {
    const list: unknown = JSON.parse(data);
    return Array.isArray(list) ? list.filter(isTask) : [];
  } catch {
    return [];
  }
}

function isTask(value: unknown): value is ShownTask {
  if (typeof value !== "object" || value === null) return false;
  const { id, content, status } = value as Record<string, unknown>;
  return typeof id === "string" && typeof content === "string" && typeof status === "string";
}
