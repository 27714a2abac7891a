import { expect, test } from "vitest";
import {
  answerProblem,
  numberedChoices,
  type QuestionField,
  readValue,
  typedKind,
} from "../src/server-question.ts";

const field = (more: Partial<QuestionField>): QuestionField => ({
  ...{ name: "f", title: "F", type: "text", required: true },
  ...more,
});
const choices = [
  { value: "a", title: "First" },
  { value: "2", title: "Second" },
];

test.each<[Partial<QuestionField>, readonly string[], string]>([
  [{}, [], "text"],
  [{ type: "choice", choices }, ["1. First", "2. Second"], "choice"],
  [{ suggestions: ["red", "blue"] }, ["1. red", "2. blue"], "a number or other words"],
  [{ suggestions: ["2", "4"] }, ["- 2", "- 4"], "one of these or other words"],
])("the choices of %j are listed with the numbers that mean them", (more, lines, kind) => {
  expect(numberedChoices(field(more))).toEqual(lines);
  expect(typedKind(field(more))).toBe(kind);
});

test.each<[string, Partial<QuestionField>, string, unknown]>([
  ["a text stays as it is typed", {}, " x ", " x "],
  ["the number of a suggestion", { suggestions: ["red", "blue"] }, " 2", "blue"],
  ["a suggestion that is a number comes first", { suggestions: ["2", "1"] }, "2", "2"],
  ["a number is no number of a suggestion where another is a number", { suggestions: ["2", "4"] }, "1", "1"],
  ["no suggestion", { suggestions: ["red", "blue"] }, "3", "3"],
  ["nothing for a needed value", {}, "", "a value is needed"],
  ["nothing for another", { required: false }, " ", undefined],
  ["nothing takes the default", { preset: 3, type: "number" }, "", 3],
  ["a number", { type: "number" }, "-1.5", -1.5],
  ["no number", { type: "number" }, "1,5", "expected a number"],
  ["a whole number", { type: "integer" }, "7", 7],
  ["no whole number", { type: "integer" }, "7.5", "expected a whole number"],
  ["endless", { type: "number" }, "Infinity", "expected a number"],
  ["yes", { type: "boolean" }, "Y", true],
  ["no", { type: "boolean" }, "no", false],
  ["perhaps", { type: "boolean" }, "perhaps", "expected yes or no"],
  ["the number of a choice", { type: "choice", choices }, "1", "a"],
  ["a value comes before a number", { type: "choice", choices }, "2", "2"],
  ["the title of a choice", { type: "choice", choices }, "First", "a"],
  ["no choice", { type: "choice", choices }, "3", "expected a number from 1 to 2"],
  ["several choices", { type: "choices", choices }, "1, Second", ["a", "2"]],
  ["one of several is wrong", { type: "choices", choices }, "1, x", "expected a number from 1 to 2"],
])("%s", (_what, more, typed, expected) => {
  const read = readValue(field(more), typed);
  expect(read.ok ? read.value : read.message).toEqual(expected);
});

test.each<[string, Partial<QuestionField>, object, string | undefined]>([
  ["a text", {}, { f: "x" }, undefined],
  ["a number for a text", {}, { f: 1 }, "expected a text for F"],
  ["no value that is needed", {}, {}, "the question needs a value for F"],
  ["no value that is not needed", { required: false }, {}, undefined],
  ["a value that was not asked for", {}, { f: "x", g: 1 }, 'the question does not ask for "g"'],
  ["a fraction", { type: "integer" }, { f: 1.5 }, "expected a whole number for F"],
  ["a text for a boolean", { type: "boolean" }, { f: "yes" }, "expected true or false for F"],
  ["a choice", { type: "choice", choices }, { f: "2" }, undefined],
  ["a title", { type: "choice", choices }, { f: "First" }, "expected one of the choices for F"],
  ["choices", { type: "choices", choices }, { f: ["a"] }, undefined],
  [
    "a wrong choice",
    { type: "choices", choices },
    { f: ["b"] },
    "expected a list of some of the choices for F",
  ],
])("an acceptance with %s", (_what, more, values, problem) => {
  const asks = { kind: "form", fields: [field(more)] } as const;
  expect(answerProblem({ asks }, { action: "accept", values: values as never })).toBe(problem);
  expect(answerProblem({ asks }, { action: "decline" })).toBe(undefined);
});
