/** Required keys that are missing take their default, as a change that is told. */
import { coerce, type JsonSchema, type JsonValue, parametersSchema } from "@localharness/schema";
import { describe, expect, test } from "vitest";

const schema: JsonSchema = {
  type: "object",
  properties: {
    path: { type: "string" },
    mode: { type: "string", enum: ["read", "write"], default: "read" },
    lines: { type: "integer", default: 20 },
    wrong: { type: "integer", default: "many" },
    inner: {
      type: "object",
      properties: { depth: { type: "integer", default: 1 }, name: { type: "string" } },
      required: ["depth"],
    },
  },
  required: ["path", "mode"],
};

const read = (value: JsonValue, node: JsonSchema = schema) => {
  const { value: typed, changes } = coerce(value, parametersSchema(node));
  return { typed, changes: changes.map(({ kind, key }) => [kind, key]) };
};

describe("a required key with a default", () => {
  test.each<[title: string, given: JsonValue, typed: JsonValue, changes: readonly unknown[]]>([
    ["is missing", { path: "a" }, { path: "a", mode: "read" }, [["defaulted", "mode"]]],
    ["is null", { path: "a", mode: null }, { path: "a", mode: "read" }, [["defaulted", "mode"]]],
    ["is given", { path: "a", mode: "write" }, { path: "a", mode: "write" }, []],
    [
      "is given in another spelling",
      { path: "a", Mode: "write" },
      { path: "a", mode: "write" },
      [["renamed", "Mode"]],
    ],
    ["may be meant by an unknown key", { path: "a", how: "write" }, { path: "a", how: "write" }, []],
    [
      "is missing inside an object",
      { path: "a", mode: "read", inner: { name: "x" } },
      { path: "a", mode: "read", inner: { name: "x", depth: 1 } },
      [["defaulted", "depth"]],
    ],
    ["is missing besides another that has none", {}, { mode: "read" }, [["defaulted", "mode"]]],
  ])("%s", (_title, given, typed, changes) => {
    expect(read(given)).toEqual({ typed, changes });
  });

  test("is told with its value", () => {
    const [change] = coerce({ path: "a" }, parametersSchema(schema)).changes;
    expect(change?.note).toBe('took the default the string "read" for the missing "mode"');
  });

  test("stays missing if the default is not valid", () => {
    expect(read({}, { ...schema, required: ["wrong"] })).toEqual({ typed: {}, changes: [] });
  });

  test("may be null if the schema allows that", () => {
    const node: JsonSchema = {
      type: "object",
      properties: { limit: { type: ["integer", "null"], default: 3 } },
      required: ["limit"],
    };
    expect(read({ limit: null }, node)).toEqual({ typed: { limit: null }, changes: [] });
  });

  test("is a copy of the default", () => {
    const tags: JsonValue[] = ["a"];
    const node: JsonSchema = { type: "object", properties: { tags: { default: tags } }, required: ["tags"] };
    expect((read({}, node).typed as { tags: unknown }).tags).not.toBe(tags);
  });
});

test("a key that is not required takes no default", () => {
  expect(read({ path: "a", mode: "read" })).toEqual({ typed: { path: "a", mode: "read" }, changes: [] });
});
