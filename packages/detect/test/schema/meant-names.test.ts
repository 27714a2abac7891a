/** Arguments under other names than those that the schema declares. */
import { describe, expect, test } from "vitest";
import { detect, type JsonValue, type Repair, summarize } from "../../src/index.ts";
import { meantNames } from "../../src/schema/meant-names.ts";

const string = { type: "string" };
const edit = {
  type: "object",
  properties: { path: string, old_string: string, new_string: string, replace_all: { type: "boolean" } },
  required: ["path", "old_string", "new_string"],
};
const bash = { type: "object", properties: { command: string }, required: ["command"] };

describe("the names that keys stand for", () => {
  test.each<[string, object, { [key: string]: JsonValue }, { [key: string]: string }]>([
    ["a synonym", bash, { cmd: "ls" }, { cmd: "command" }],
    [
      "several synonyms",
      edit,
      { file: "a", search: "x", replace: "y" },
      { file: "path", search: "old_string", replace: "new_string" },
    ],
    [
      "another way of writing",
      edit,
      { Path: "a", oldString: "x", "new-string": "y" },
      { Path: "path", oldString: "old_string", "new-string": "new_string" },
    ],
    [
      "an optional name in another way of writing",
      edit,
      { path: "a", old_string: "x", new_string: "y", replaceAll: true },
      { replaceAll: "replace_all" },
    ],
    ["two keys for one name", edit, { file: "a", filename: "b", old_string: "x", new_string: "y" }, {}],
    ["a key for a name that is there", bash, { command: "ls", cmd: "pwd" }, {}],
    [
      "a key that is declared",
      { type: "object", properties: { ...bash.properties, cmd: string }, required: ["command"] },
      { cmd: "ls" },
      {},
    ],
    ["a name that is not required", { type: "object", properties: bash.properties }, { cmd: "ls" }, {}],
    ["a value of another type", bash, { cmd: ["ls"] }, {}],
    ["a key that means nothing known", bash, { foo: "ls" }, {}],
  ])("%s", (_title, schema, args, expected) => {
    const node = schema as { [key: string]: unknown };
    expect(Object.fromEntries(meantNames(args, { node, root: node }))).toEqual(expected);
  });
});

describe("calls with other names", () => {
  const closed = { ...bash, additionalProperties: false };
  test.each<[string, object, object, object, readonly Repair[]]>([
    ["a synonym in an open schema", bash, { cmd: "ls" }, { command: "ls" }, ["argument-key"]],
    [
      "a synonym in a closed schema",
      closed,
      { cmd: "ls", note: "x" },
      { command: "ls" },
      ["argument-key", "dropped-key"],
    ],
    ["nothing is dropped while a required name is missing", closed, { foo: "ls" }, { foo: "ls" }, []],
    [
      "what is not declared is dropped",
      closed,
      { command: "ls", foo: 1 },
      { command: "ls" },
      ["dropped-key"],
    ],
  ])("%s", (_title, parameters, args, expected, repairs) => {
    const text = JSON.stringify({ name: "run", arguments: args });
    const schema = parameters as { [key: string]: unknown };
    const { calls } = summarize(detect(text, { tools: [{ name: "run", parameters: schema }] }));
    expect(calls).toMatchObject([{ arguments: expected, repairs }]);
    expect(calls[0]?.arguments).toEqual(expected);
  });
});
