/** Arguments under names that the schema does not declare. */
import { type JsonValue, meantNames, parametersSchema } from "@localharness/schema";
import { describe, expect, test } from "vitest";
import { growth } from "../../../test/measures.ts";

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
    expect(Object.fromEntries(meantNames(args, parametersSchema(node)).names)).toEqual(expected);
  });
});

test("many spellings of one name are found in linear time", async () => {
  const schema = parametersSchema(bash);
  const find = (count: number) => {
    const spellings = Array.from(
      { length: count },
      (_, index) => `command${"-".repeat(index % 50)}${"_".repeat(index / 50)}`,
    );
    const value = Object.fromEntries(spellings.map((key) => [key, "ls"]));
    return () => meantNames(value, schema);
  };
  expect(await growth(find(1_000), find(8_000), 24)).toBeLessThan(24);
});
