/** XML whose tags are the arguments, with mistakes that have only one reading. */
import { parametersSchema } from "@localharness/schema";
import { expect, test } from "vitest";
import { parseXmlArguments } from "../../src/xml/read-xml.ts";

const schema = parametersSchema({
  type: "object",
  properties: { path: { type: "string" }, mode: { type: "string" } },
});

test("the line feed behind a value without an end tag is layout", () => {
  expect(parseXmlArguments("\n<path>a.txt\n<mode>fast\n", schema)).toEqual({ path: "a.txt", mode: "fast" });
});

test.each(["<path>a</path>", "<a>\n  <path>a</path>\n</a>", "<path x='1'><path/>a</path><path>b</path>"])(
  "a text holds %j of its own name",
  (path) => {
    const text = `<path>${path}</path>\n<mode>fast</mode>`;
    expect(parseXmlArguments(text, schema)).toEqual({ path, mode: "fast" });
  },
);

test("a tag of its own name that nothing ends is a part of a text", () => {
  expect(parseXmlArguments("<path>the <path> tag</path><mode>fast</mode>", schema)).toEqual({
    path: "the <path> tag",
    mode: "fast",
  });
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
