import { expect, test } from "vitest";
import { openBench, said } from "./bench.ts";

test("tasks are added, listed and updated", async () => {
  const bench = await openBench();
  expect(await bench.call("list_tasks", {})).toEqual({ ok: true, data: "[]" });
  expect(await bench.call("add_task", { content: "Read the code" })).toEqual({ ok: true, data: "task_1" });
  expect(said(await bench.call("add_task", { task: "Fix it" }))).toBe("task_2");
  expect(await bench.call("update_task", { task_id: "task_2", status: "in_progress" })).toEqual({
    ok: true,
    data: "task_2 is in_progress: Fix it",
  });
  expect(await bench.call("update_task", { id: "1", status: "completed" })).toEqual({
    ok: true,
    data: "task_1 is completed: Read the code",
    achieved: [{ kind: "task-done", subject: "Read the code" }],
  });
  expect(JSON.parse(said(await bench.call("list_tasks", {})))).toEqual([
    { id: "task_1", status: "completed", content: "Read the code" },
    { id: "task_2", status: "in_progress", content: "Fix it" },
  ]);
});

test.each([
  ["add_task", { content: "  " }, "validation_failed", "say what the task is"],
  ["update_task", { task_id: "task_9", status: "completed" }, "not_found", "The tasks are: task_1."],
  ["update_task", { task_id: "task_1", status: "done" }, "validation_failed", "pending"],
])("%s with %j is %s", async (name, args, errorType, message) => {
  const bench = await openBench();
  await bench.call("add_task", { content: "x" });
  const output = await bench.call(name, args);
  expect(output).toMatchObject({ ok: false, errorType });
  expect(said(output)).toContain(message);
});

test("the list's fingerprint changes with every change", async () => {
  const bench = await openBench();
  const before = await bench.fingerprint("list_tasks", {});
  await bench.call("add_task", { content: "x" });
  expect(await bench.fingerprint("list_tasks", {})).not.toBe(before);
});

test("time is ISO 8601, and the working directory the workspace's real path", async () => {
  const now = Date.UTC(2026, 10, 21, 9, 5, 7);
  const bench = await openBench({ clock: { now: () => now, monotonic: () => 0 } });
  const time = said(await bench.call("get_current_time", {}));
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:07(?:Z|[+-]\d\d:\d\d)$/);
  expect(Date.parse(time)).toBe(now);
  expect(said(await bench.call("get_working_directory", {}))).toBe(bench.root);
});
