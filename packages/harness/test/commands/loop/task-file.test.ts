/** Checks how task files are parsed: where the stories are, which one is next, and the messages for damaged files. */
import { describe, expect, test } from "vitest";
import { nextStory, parseTasks, readTaskFile } from "../../../src/commands/loop/task-file.ts";

const shapes: [string, string, string[]][] = [
  [
    "userStories",
    '{"branch": "x", "userStories": [{"id": "US-1", "title": "One", "passes": false}]}',
    ["US-1 One false"],
  ],
  ["stories", '{"stories": [{"id": 7, "description": "Seven", "passes": true}]}', ["7 Seven true"]],
  ["a bare list", '[{"name": "First", "passes": false}, {"passes": true}]', ["1 First false", "2  true"]],
  [
    "beside other lists",
    '{"notes": ["a"], "tasks": [{"id": "t", "story": "T", "passes": false}]}',
    ["t T false"],
  ],
];

const damaged: [string, RegExp][] = [
  ["", /line 1:1/],
  ["# Tasks\n- one", /line 1:1.*a task file is JSON such as \{"stories"/],
  ['{"stories": []}', /no stories/],
  ['{"stories": [{"id": 1}]}', /each with "passes"/],
  ['{"stories": [{"id": 1, "passes": "yes"}]}', /each with "passes"/],
  ["null", /no stories/],
];

describe("parseTasks", () => {
  test.each(shapes)("finds the stories in %s", (_shape, text, expected) => {
    const tasks = parseTasks(text);
    if (!tasks.ok) throw new Error(tasks.problem);
    expect(tasks.stories.map((story) => `${story.id} ${story.title} ${story.passes}`)).toEqual(expected);
  });

  test.each(damaged)("says what is wrong with %j", (text, problem) => {
    expect(parseTasks(text)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });

  test("the open story with the lowest priority comes next", () => {
    const tasks = parseTasks(
      '[{"id": "a", "priority": 3, "passes": false}, {"id": "b", "priority": 1, "passes": true}, {"id": "c", "priority": 2, "passes": false}]',
    );
    if (!tasks.ok) throw new Error(tasks.problem);
    expect(nextStory(tasks.stories)?.id).toBe("c");
    expect(nextStory(tasks.stories.map((story) => ({ ...story, passes: true })))).toBeUndefined();
  });
});

test("a task file that is not there is told in plain words", async () => {
  expect(await readTaskFile("/nowhere/tasks.json")).toEqual({ ok: false, problem: "there is no such file" });
});
