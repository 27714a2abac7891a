/** Checks the task panel that results of the task tools produce. */
import type { SessionEvent } from "@localharness/protocol";
import { createTaskList, taskLines } from "@localharness/protocol";
import { expect, test } from "vitest";
import { drawTasks } from "../../src/panels/task-panel.ts";
import { createTheme } from "../../src/theme/theme.ts";

const listed = (...tasks: readonly object[]): SessionEvent => ({
  sessionId: "s",
  turnId: "t",
  seq: 1,
  type: "tool-result",
  callId: "c",
  toolName: "list_tasks",
  result: {
    success: true,
    data: JSON.stringify(tasks),
    error_message: null,
    error_type: "none",
    metadata: { execution_time_ms: 0, data_size_bytes: 0, timestamp: 0 },
  },
  display: "",
});

test.each([
  ["completed", "✓"],
  ["in_progress", "▸"],
  ["pending", "○"],
  ["later", "○"],
  ["constructor", "○"],
])("a task that is %s has the sign %s", (status, mark) => {
  expect(taskLines([{ id: "1", content: "cook", status }])).toEqual([`${mark} cook`]);
});

test("shows how many tasks are done, then the open tasks with their symbols", () => {
  const list = createTaskList();
  list.take(
    listed(
      { id: "1", content: "cook", status: "completed" },
      { id: "2", content: "serve", status: "in_progress" },
      { id: "3", content: "eat", status: "toString" },
    ),
  );
  expect(drawTasks(list.tasks(), 40, 5, createTheme("none", {}))).toEqual(["tasks 1/3", "▸ serve", "○ eat"]);
});
