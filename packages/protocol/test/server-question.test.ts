import { expect, test } from "vitest";
import { type QuestionField, readValue } from "../src/server-question.ts";

const field = (more: Partial<QuestionField>): QuestionField => ({
  ...{ name: "f", title: "F", type: "text", required: true },
  ...more,
});
const choices = [
  { value: "a", title: "First" },
  { value: "2", title: "Second" },
];

test.each<[string, Partial<QuestionField>, string, unknown]>([
  ["a text stays as it is typed", {}, " x ", " x "],
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
