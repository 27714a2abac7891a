/** Holds the tasks of one session in memory. */

export type TaskStatus = "pending" | "in_progress" | "completed";

export interface Task {
  /** The id: `task_1`, `task_2`, ... */
  readonly id: string;
  readonly status: TaskStatus;
  readonly content: string;
}

export interface SessionTasks {
  add(content: string): Task;
  list(): readonly Task[];
  /** Returns the updated task, or undefined if there is no task with that id. */
  update(id: string, status: TaskStatus): Task | undefined;
  /** Returns a number that grows with every change. */
  revision(): number;
}

export function createTaskList(): SessionTasks {
  const tasks = new Map<string, Task>();
  let revision = 0;
  return {
    add: (content) => {
      revision += 1;
      const task: Task = { id: `task_${tasks.size + 1}`, status: "pending", content };
      tasks.set(task.id, task);
      return task;
    },
    list: () => [...tasks.values()],
    update: (id, status) => {
      const task = tasks.get(id);
      if (task === undefined) return undefined;
      revision += 1;
      const updated = { ...task, status };
      tasks.set(id, updated);
      return updated;
    },
    revision: () => revision,
  };
}
