/** The model's tasks as the results of its task tools tell them: add_task, update_task, list_tasks. */
import type { SessionEvent } from "@localharness/protocol";
import { screenLine } from "../plain-text.ts";
import type { Theme } from "../theme/theme.ts";

export interface TaskPanel {
  take(event: SessionEvent): void;
  draw(width: number, rows: number, theme: Theme): readonly string[];
  /** All of them, for a list. */
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

/** The sign in front of a task; `status` may be any word. */
export function taskMark(status: string): string {
  return marks.get(status) ?? "○";
}

export function createTaskPanel(): TaskPanel {
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
    draw(width, rows, theme) {
      const open = [...tasks.values()].filter(({ status }) => status !== "completed");
      if (open.length === 0) return [];
      const done = tasks.size - open.length;
      const room = Math.max(1, Math.min(5, rows));
      const lines = open.slice(0, room).map(({ content, status }) => {
        const text = `${taskMark(status)} ${screenLine(content)}`.slice(0, width);
        return status === "in_progress" ? theme.style("accent", text) : text;
      });
      const more = open.length - lines.length;
      const head = `tasks ${done}/${tasks.size}${more > 0 ? `, ${more} more open` : ""}`;
      return [theme.style("dim", head), ...lines];
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
