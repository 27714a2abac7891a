/** The model's list of tasks. */
import { taskMark, visibleLine } from "@localharness/protocol";
import type { ReactNode } from "react";
import { useSession } from "../use-client.ts";
import { Empty } from "./loaded.tsx";

export function TasksPanel(): ReactNode {
  const tasks = useSession((session) => session.tasks) ?? [];
  if (tasks.length === 0) return <Empty>The model has no tasks.</Empty>;
  const done = tasks.filter(({ status }) => status === "completed").length;
  return (
    <div className="space-y-2">
      <p className="text-[12.5px] text-dim">{`${done} of ${tasks.length} done`}</p>
      <ul className="space-y-1">
        {tasks.map(({ id, content, status }) => (
          <li key={id} className="flex gap-2 rounded-lg border border-line bg-surface px-3 py-1.5">
            <span className={status === "completed" ? "text-good" : "text-accent"} aria-hidden="true">
              {taskMark(status)}
            </span>
            <span className={status === "completed" ? "text-dim line-through" : ""}>
              {visibleLine(content)}
            </span>
            <span className="sr-only">{visibleLine(status)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
