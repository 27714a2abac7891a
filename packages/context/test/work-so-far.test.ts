import type { JsonObject } from "@localharness/protocol";
import { expect, test } from "vitest";
import type { ListedResult } from "../src/list-results.ts";
import { workSoFar } from "../src/work-so-far.ts";

function result(toolName: string, args: JsonObject, text: string, success = true): ListedResult {
  const fields = { success };
  return {
    callId: "c",
    toolName,
    args,
    content: "",
    call: toolName,
    result: { fields, text, error: "" },
  };
}

test("open tasks, and files read and changed, are known from the calls that succeeded", () => {
  const results = [
    result("add_task", { content: "read the parser" }, "task_1"),
    result("add_task", { content: "fix the parser" }, "task_2"),
    result("add_task", { content: "test it" }, "task_3"),
    result("update_task", { task_id: "1", status: "completed" }, "task_1 is completed: read the parser"),
    result("update_task", { task_id: "2", status: "in_progress" }, "task_2 is in_progress: fix the parser"),
    result("update_task", { task_id: "9", status: "completed" }, "", false),
    result("read_file", { path: "a.ts" }, "1: a"),
    result("read_file", { path: "b.ts" }, "1: b"),
    result("read_file", { path: "a.ts" }, "1: a"),
    result("edit_file", { path: "b.ts" }, "edited"),
    result("write_file", { path: "c.ts" }, "", false),
    result("remove", { path: "d.ts" }, "removed"),
    result("bash", { command: "npm test" }, "ok"),
  ];
  const { told, ...work } = workSoFar(results);
  expect(work).toEqual({
    openTasks: ["task_2 (in_progress): fix the parser", "task_3 (pending): test it"],
    changed: ["b.ts", "d.ts"],
    read: ["a.ts"],
  });
  expect(results.filter((one) => !told.has(one)).map(({ toolName }) => toolName)).toEqual([
    "update_task",
    "write_file",
    "bash",
  ]);
});

test("arguments that are no object, and texts of another shape, are left to the list of calls", () => {
  const results = [result("read_file", {}, "1: a"), result("update_task", {}, "task_1 is gone")];
  const { told, ...work } = workSoFar(results);
  expect(work).toEqual({ openTasks: [], changed: [], read: [] });
  expect(told.size).toBe(0);
});
