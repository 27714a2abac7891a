/** Places where an opener could begin. */
import { expect, test } from "vitest";
import { nextTrigger, triggersOf } from "../../src/scan/triggers.ts";

const triggers = triggersOf(["<tool>", "<｜tool", "[", "Tool:", "read_file("]);
const space = 32;

test.each([
  ["at the first two characters", "a <tool>", 2],
  ["not where the second one differs", "a <b> < c", 9],
  ["where the text ends behind the first one", "a <", 2],
  ["at a second character beyond ASCII", "a <｜", 2],
  ["at any other beyond ASCII, which is looked at later", "a <é", 2],
  ["at an opener of one character", "a [1]", 2],
  ["at the start of a word", "we read", 3],
  ["not inside a word", "thread bread", 12],
  ["behind a sign that is no part of a word", "(read", 1],
  ["nowhere in a text of other characters", "Ünïcödé 你好", 10],
])("an opener could begin %s", (_name, text, place) => {
  expect(nextTrigger(triggers, text, 0, space)).toBe(place);
});

test.each([
  ["a space", space, 0],
  ["a letter", 97, 4],
])("the character in front of the text counts: %s", (_name, before, place) => {
  expect(nextTrigger(triggers, "read", 0, before)).toBe(place);
});

test("the search goes on from an index", () => {
  expect(nextTrigger(triggers, "[[ [", 2, 91)).toBe(3);
});
