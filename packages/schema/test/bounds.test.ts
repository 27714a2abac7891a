/** Limits that are not sent to servers, and so are checked only here. */
import { type JsonSchema, type JsonValue, parametersSchema, validate } from "@localharness/schema";
import { describe, expect, test } from "vitest";

const problems = (value: JsonValue, schema: JsonSchema) => validate(value, parametersSchema(schema), "v");

describe("a limit", () => {
  test.each<[JsonSchema, readonly JsonValue[], readonly JsonValue[]]>([
    [{ exclusiveMinimum: 0, exclusiveMaximum: 10 }, [0.1, 9.9], [0, 10, -1, 11]],
    [{ multipleOf: 0.1 }, [0.3, 0, -1.2], [0.35]],
    [{ multipleOf: 0 }, [3], []],
    [
      { uniqueItems: true },
      [[1, 2], [], [{ a: 1 }, { a: 2 }]],
      [
        [1, 1],
        [{ a: 1 }, { a: 1 }],
      ],
    ],
    [{ minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: 1, b: 2, c: 3 }]],
    [{ not: { enum: ["a", 1] } }, ["b", 2], ["a", 1]],
    [{ not: { const: null } }, ["b"], [null]],
    [{ not: { pattern: "^/" } }, ["a/b"], ["/a"]],
    [{ not: { pattern: "^/", minLength: 9 } }, ["/a", "b"], []],
    [{ not: {} }, ["a"], []],
  ])("%j takes %j and refuses %j", (schema, right, wrong) => {
    for (const value of right) expect(problems(value, schema), JSON.stringify(value)).toEqual([]);
    for (const value of wrong) expect(problems(value, schema), JSON.stringify(value)).toHaveLength(1);
  });

  test("is told in words", () => {
    expect(problems(7, { multipleOf: 2 })).toEqual([
      'parameter "v" must be a multiple of 2, but is the number 7',
    ]);
  });
});
