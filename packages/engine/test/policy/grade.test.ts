/** Checks how a call is graded by what becomes of its effect. */
import { expect, test } from "vitest";
import { gradeOf } from "../../src/policy/grade.ts";
import type { PolicyQuestion } from "../../src/policy/rule.ts";
import { plainQuestion as question } from "./ask-about.ts";

const concern = (id: string) => [{ id, decision: "ask", reason: "r" } as const];

test.each<readonly [string, Partial<PolicyQuestion>, string]>([
  ["a call of which nothing is known", {}, "lasting"],
  ["a call that only reads", { readOnly: true }, "reads"],
  ["a search on another machine, which only reads", { readOnly: true, facts: { grade: "leaves" } }, "leaves"],
  ["an edit of which undo has the old content", { facts: { grade: "undoable" } }, "undoable"],
  [
    "such an edit of a protected file",
    { facts: { grade: "undoable", concerns: concern("protected:x") } },
    "undoable",
  ],
  [
    "an edit of a file too large for undo",
    { facts: { grade: "undoable", concerns: concern("lost") } },
    "lasting",
  ],
  ["a command whose kept files undo restores", { facts: { grade: "kept" } }, "kept"],
  [
    "such a command that also writes a file of secrets",
    { facts: { grade: "kept", concerns: concern("written-secret:.env") } },
    "lasting",
  ],
  [
    "an edit of a file of secrets, which undo does not keep",
    { facts: { grade: "undoable", concerns: concern("written-secret:.env") } },
    "lasting",
  ],
])("%s: %#", (_title, more, grade) => {
  expect(gradeOf({ ...question, ...more })).toBe(grade);
});
