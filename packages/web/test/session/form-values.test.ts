import type { QuestionField } from "@localharness/protocol";
import { expect, test } from "vitest";
import { type Entered, firstEntered, readForm } from "../../src/session/form-values.ts";

const field = (more: Partial<QuestionField>): QuestionField => ({
  ...{ name: "f", title: "F", type: "text", required: false },
  ...more,
});
const choices = [
  { value: "a", title: "b" },
  { value: "b", title: "B" },
];

test.each<[string, Partial<QuestionField>, Entered, unknown]>([
  ["a text", {}, "x", { f: "x" }],
  ["a number beside answers without numbers", { suggestions: ["few", "many"] }, "2", { f: "2" }],
  ["nothing", {}, "", {}],
  ["nothing for a needed value", { required: true }, "", "a value is needed"],
  ["a default that the person removed", { preset: "x" }, "", {}],
  ["a number", { type: "integer" }, "7", { f: 7 }],
  ["no number", { type: "integer" }, "x", "expected a whole number"],
  ["no", { type: "boolean" }, "no", { f: false }],
  ["a choice whose value is the title of another", { type: "choice", choices }, "b", { f: "b" }],
  ["several choices", { type: "choices", choices }, ["a", "b"], { f: ["a", "b"] }],
  ["no choice", { type: "choices", choices, required: true }, [], "choose at least one"],
])("%s", (_what, more, entered, expected) => {
  const read = readForm([field(more)], [entered]);
  expect(read.ok ? read.values : read.problems[0]).toEqual(expected);
});

test("the defaults are entered first", () => {
  const fields: readonly Partial<QuestionField>[] = [
    { preset: "x" },
    { type: "integer", preset: 3 },
    { type: "boolean", preset: false },
    { type: "choices", choices, preset: ["b"] },
    {},
  ];
  expect(firstEntered(fields.map(field))).toEqual(["x", "3", "no", ["b"], ""]);
});
