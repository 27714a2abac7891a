/** XML whose tags are the arguments, with the slips that leave no doubt. */
import { expect, test } from "vitest";
import { parametersSchema } from "../../src/schema/read-schema.ts";
import { parseXmlArguments } from "../../src/xml/read-xml.ts";

const schema = parametersSchema({
  type: "object",
  properties: { path: { type: "string" }, mode: { type: "string" } },
});

test("the line feed behind a value without an end tag is layout", () => {
  expect(parseXmlArguments("\n<path>a.txt\n<mode>fast\n", schema)).toEqual({ path: "a.txt", mode: "fast" });
});

test("an item without its end tag ends where the next item begins", () => {
  const list = parametersSchema({
    type: "object",
    properties: {
      task: {
        type: "array",
        items: { type: "object", properties: { task: { type: "string" }, done: { type: "boolean" } } },
      },
    },
  });
  const text = "<task><task>one</task><done>true</done><task><task>two</\n task><done>false</done></task>";
  expect(parseXmlArguments(text, list)).toEqual({
    task: [
      { task: "one", done: true },
      { task: "two", done: false },
    ],
  });
});
