/** Values coerced by the schema: a table of what models write and what is read. */
import {
  coerce,
  expectation as inWords,
  type JsonSchema,
  type JsonValue,
  parametersSchema,
  validate,
} from "@localharness/schema";
import { describe, expect, test } from "vitest";

const expectation = (schema: JsonSchema) => inWords(parametersSchema(schema));
function coerceValue(value: JsonValue, node: JsonSchema, path: string) {
  const schema = parametersSchema(node);
  const coerced = coerce(value, schema, path);
  const [problem] = validate(coerced.value, schema, path);
  return problem === undefined
    ? { ok: true, value: coerced.value, notes: coerced.changes.flatMap(({ note }) => note ?? []) }
    : { ok: false, problem };
}

const string = { type: "string" } as const;
const integer = { type: "integer" } as const;
const number = { type: "number" } as const;
const boolean = { type: "boolean" } as const;
const path = { type: "string", format: "path" } as const;
const numbers = { type: "array", items: number } as const;
const strings = { type: "array", items: string } as const;
const integers = { type: "array", items: integer } as const;
const sortBy = { type: "string", enum: ["name", "size", "last_modified"] } as const;
const point = { type: "object", properties: { x: integer, label: string }, required: ["x"] } as const;

type Row = readonly [value: JsonValue, schema: JsonSchema, result: JsonValue];

/** Right already: the same value, without a note. */
const exact: readonly Row[] = [
  ["a", string, "a"],
  ["5", path, "5"],
  ["", string, ""],
  ["007", string, "007"],
  ["3", string, "3"],
  ["true", string, "true"],
  ["null", string, "null"],
  ['{"a":1}', string, '{"a":1}'],
  [3, integer, 3],
  [3.0, integer, 3],
  [-2, integer, -2],
  [3.5, number, 3.5],
  [false, boolean, false],
  [null, { type: "null" }, null],
  [null, { type: ["string", "null"] }, null],
  ["null", { type: ["string", "null"] }, "null"],
  ["3", { type: ["integer", "string"] }, "3"],
  ["3", { anyOf: [integer, string] }, "3"],
  [null, { anyOf: [string, { type: "null" }] }, null],
  [["a"], strings, ["a"]],
  [[], strings, []],
  [{ x: 1 }, point, { x: 1 }],
  [{ x: 1, more: [true] }, point, { x: 1, more: [true] }],
  [{ anything: 1 }, {}, { anything: 1 }],
  ["name", sortBy, "name"],
  [2, { enum: [1, 2, null] }, 2],
  [null, { enum: [1, 2, null] }, null],
  ["go", { const: "go" }, "go"],
];

/** Written otherwise: read as what the schema wants, with a note. */
const coerced: readonly Row[] = [
  [["a"], path, "a"],
  ["a", { type: "array", items: path }, ["a"]],
  ["3", integer, 3],
  [" 3 ", integer, 3],
  ["-3", integer, -3],
  ["+3", integer, 3],
  ["3.0", integer, 3],
  ["1e3", integer, 1000],
  ["007", integer, 7],
  ["3.5", number, 3.5],
  ["-0.5e-1", number, -0.05],
  ["1e20", number, 1e20],
  ["100000000000000000000", number, 1e20],
  ["3.14159265358979323846", number, Math.PI],
  ["true", boolean, true],
  ["True", boolean, true],
  ["FALSE", boolean, false],
  [1, boolean, true],
  [0, boolean, false],
  [3, string, "3"],
  [true, string, "true"],
  [{ a: 1 }, string, '{\n  "a": 1\n}'],
  [["a.txt"], string, "a.txt"],
  [["3"], integer, 3],
  ["None", { type: "null" }, null],
  ["a", strings, ["a"]],
  ['["a","b"]', strings, ["a", "b"]],
  [' ["a"] ', strings, ["a"]],
  ["[abc]*.ts", strings, ["[abc]*.ts"]],
  [3, strings, ["3"]],
  ["3", integers, [3]],
  ["[1,2]", integers, [1, 2]],
  [["1", 2, "3"], integers, [1, 2, 3]],
  [{ x: 1 }, { type: "array", items: point }, [{ x: 1 }]],
  ['{"x":"1"}', point, { x: 1 }],
  ['{"x":1}', { type: "array", items: point }, [{ x: 1 }]],
  [{ x: "1", label: 2 }, point, { x: 1, label: "2" }],
  ["Name", sortBy, "name"],
  ["LAST-MODIFIED", sortBy, "last_modified"],
  ["lastModified", sortBy, "last_modified"],
  [["size"], sortBy, "size"],
  ["2", { enum: [1, 2] }, 2],
];

/** Unions: what fits as it is wins; else null, boolean, integer, number, array, object, string, in this order. */
const unions: readonly Row[] = [
  ["null", { type: ["integer", "null"] }, null],
  ["true", { type: ["integer", "boolean"] }, true],
  ["3", { type: ["number", "integer"] }, 3],
  ["3.5", { type: ["integer", "number"] }, 3.5],
  ["3", { type: ["array", "integer"], items: string }, 3],
  ['{"x":1}', { type: ["object", "array"] }, { x: 1 }],
  ["[1]", { type: ["object", "array"] }, [1]],
  ["a", { type: ["object", "array"] }, ["a"]],
  [3, { type: ["string", "null"] }, "3"],
  ["true", { anyOf: [integer, boolean] }, true],
  ["7", { oneOf: [boolean, integer] }, 7],
  [7, { anyOf: [string, { type: "null" }] }, "7"],
  ["a", { anyOf: [strings, integer] }, ["a"]],
];

const inQuotes = "(in quotes, so that no digit is lost)";

/** No guess: refused, and the problem says what came and what is expected. */
const refused: readonly (readonly [JsonValue, JsonSchema, string])[] = [
  [5, path, 'parameter "p" must be a string, but is the number 5'],
  [1e21, path, `parameter "p" must be a string ${inQuotes}, but is the number 1e+21`],
  [
    JSON.parse("12345678901234567890"),
    string,
    `parameter "p" must be a string ${inQuotes}, but is the number 12345678901234567000`,
  ],
  [
    2 ** 60,
    { anyOf: [string, { type: "null" }] },
    `parameter "p" must be a string or null ${inQuotes}, but is the number 1152921504606847000`,
  ],
  [
    [2 ** 60],
    strings,
    `parameter "p[0]" must be a string ${inQuotes}, but is the number 1152921504606847000`,
  ],
  [
    "12345678901234567890",
    number,
    'parameter "p" must be a number of at most 15 digits, but is the string "12345678901234567890"',
  ],
  [true, path, 'parameter "p" must be a string, but is the boolean true'],
  [{ path: "a" }, path, 'parameter "p" must be a string, but is an object with the keys "path"'],
  [[5], path, 'parameter "p" must be a string, but is an array of 1'],
  [[], path, 'parameter "p" must be a string, but is an array of 0'],
  [["a", 5], { type: "array", items: path }, 'parameter "p[1]" must be a string, but is the number 5'],
  [5, { anyOf: [path, { type: "null" }] }, 'parameter "p" must be a string or null, but is the number 5'],
  ['{"x":1,"x":2}', point, 'parameter "p" is ambiguous: the key "x" is there twice; give it once'],
  ["[1e999]", numbers, 'parameter "p" must be an array of: a number, but is the string "[1e999]"'],
  [Number.POSITIVE_INFINITY, number, 'parameter "p" must be a number, but is the number Infinity'],
  ["three", integer, 'parameter "p" must be an integer, but is the string "three"'],
  ["3.5", integer, 'parameter "p" must be an integer, but is the string "3.5"'],
  [3.5, integer, 'parameter "p" must be an integer, but is the number 3.5'],
  ["1e999", number, 'parameter "p" must be a number, but is the string "1e999"'],
  ["0x10", integer, 'parameter "p" must be an integer, but is the string "0x10"'],
  ["1,000", integer, 'parameter "p" must be an integer, but is the string "1,000"'],
  ["", integer, 'parameter "p" must be an integer, but is the string ""'],
  [
    "9007199254740993",
    integer,
    'parameter "p" must be an integer of at most 15 digits, but is the number 9007199254740992',
  ],
  [
    2 ** 60,
    integer,
    'parameter "p" must be an integer of at most 15 digits, but is the number 1152921504606847000',
  ],
  [true, integer, 'parameter "p" must be an integer, but is the boolean true'],
  ["yes", boolean, 'parameter "p" must be a boolean, but is the string "yes"'],
  ["nil", { type: ["integer", "null"] }, 'parameter "p" must be an integer or null, but is the string "nil"'],
  [7, { type: ["string", "boolean"] }, 'parameter "p" must be a string or a boolean, but is the number 7'],
  [3, { type: ["string", "array"] }, 'parameter "p" must be a string or an array, but is the number 3'],
  [-5, { enum: [5] }, 'parameter "p" must be one of 5, but is the number -5'],
  ["A B", { enum: ["ab", "a_b"] }, 'parameter "p" must be one of "ab", "a_b", but is the string "A B"'],
  ["maybe", boolean, 'parameter "p" must be a boolean, but is the string "maybe"'],
  [2, boolean, 'parameter "p" must be a boolean, but is the number 2'],
  [null, string, 'parameter "p" must be a string, but is null'],
  [null, strings, 'parameter "p" must be an array of: a string, but is null'],
  [["a", "b"], string, 'parameter "p" must be a string, but is an array of 2'],
  [[["a"]], string, 'parameter "p" must be a string, but is an array of 1'],
  ['{"x":"q"}', point, 'parameter "p.x" must be an integer, but is the string "q"'],
  ["q", integers, 'parameter "p" must be an array of: an integer, but is the string "q"'],
  ["{broken", point, 'parameter "p" must be an object, but is the string "{broken"'],
  [[], point, 'parameter "p" must be an object, but is an array of 0'],
  [{ label: "a" }, point, 'parameter "p.x" is missing; expected an integer'],
  [{ x: null }, point, 'parameter "p.x" must be an integer, but is null'],
  [{ x: "q" }, point, 'parameter "p.x" must be an integer, but is the string "q"'],
  [[1, "q"], integers, 'parameter "p[1]" must be an integer, but is the string "q"'],
  [
    "color",
    sortBy,
    'parameter "p" must be one of "name", "size", "last_modified", but is the string "color"',
  ],
  [{}, sortBy, 'parameter "p" must be one of "name", "size", "last_modified", but is an object with no keys'],
  ["stop", { const: "go" }, 'parameter "p" must be "go", but is the string "stop"'],
  [
    "q",
    { anyOf: [integer, boolean] },
    'parameter "p" must be an integer or a boolean, but is the string "q"',
  ],
  [
    0,
    { type: "integer", minimum: 1, maximum: 5 },
    'parameter "p" must be an integer (at least 1, at most 5), but is the number 0',
  ],
  ["9", { type: "integer", maximum: 5 }, 'parameter "p" must be an integer (at most 5), but is the number 9'],
  [
    "",
    { type: "string", minLength: 1 },
    'parameter "p" must be a length of at least 1, but is the string ""',
  ],
  [
    "abc",
    { type: "string", maxLength: 2 },
    'parameter "p" must be a length of at most 2, but is the string "abc"',
  ],
  [
    "3.9",
    { type: "string", pattern: "^v\\d+" },
    'parameter "p" must be text that matches ^v\\d+, but is the string "3.9"',
  ],
  [[], { ...strings, minItems: 1 }, 'parameter "p" must be a length of at least 1, but is an array of 0'],
  [
    ["a", "b"],
    { ...strings, maxItems: 1 },
    'parameter "p" must be a length of at most 1, but is an array of 2',
  ],
  ["x".repeat(100), integer, `parameter "p" must be an integer, but is the string "${"x".repeat(60)}…"`],
];

describe("coercion", () => {
  test.each(exact)("leaves %j as it is for %j", (value, schema, result) => {
    expect(coerceValue(value, schema, "p")).toEqual({ ok: true, value: result, notes: [] });
  });

  test("a pattern that cannot be read is not checked", () => {
    expect(coerceValue("a(b", { type: "string", pattern: "(" }, "p")).toMatchObject({ ok: true });
  });

  test.each(coerced)("reads %j for %j as %j, and says so", (value, schema, result) => {
    const read = coerceValue(value, schema, "p");
    expect(read).toMatchObject({ ok: true, value: result });
    expect(read.ok && read.notes?.length).toBeGreaterThan(0);
  });

  test.each(unions)("reads %j in the union %j as %j", (value, schema, result) => {
    expect(coerceValue(value, schema, "p")).toMatchObject({ ok: true, value: result });
  });

  test.each(refused)("refuses %j for %j", (value, schema, problem) => {
    expect(coerceValue(value, schema, "p")).toEqual({ ok: false, problem });
  });

  test("drops null for what is optional inside an object, and keeps it where null is wanted", () => {
    const schema: JsonSchema = { type: "object", properties: { a: string, b: { type: ["string", "null"] } } };
    expect(coerceValue({ a: null, b: null }, schema, "p")).toEqual({
      ok: true,
      value: { b: null },
      notes: [],
    });
  });

  test("drops and reports unknown keys inside a closed object", () => {
    const schema: JsonSchema = { type: "object", properties: { a: string }, additionalProperties: false };
    expect(coerceValue({ a: "x", b: 1 }, schema, "p")).toEqual({
      ok: true,
      value: { a: "x" },
      notes: ['unknown key "b" in p was ignored'],
    });
  });

  test("a note names the place, what came and what it was read as", () => {
    expect(coerceValue(["1"], integers, "lines")).toMatchObject({
      notes: ['lines[0]: read the string "1" as integer'],
    });
    expect(coerceValue("Name", sortBy, "sort_by")).toMatchObject({
      notes: ['sort_by: read the string "Name" as "name"'],
    });
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "a key %s is a key like any other",
    (key) => {
      const value = JSON.parse(`{"${key}":{"polluted":true},"x":1}`) as JsonValue;
      const read = coerceValue(value, point, "p");
      expect(read.ok && JSON.stringify(read.value)).toBe(JSON.stringify(value));
      expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    },
  );
});

describe("what a schema wants, in words", () => {
  test.each<readonly [JsonSchema, string]>([
    [{}, "any value"],
    [string, "a string"],
    [integers, "an array of: an integer"],
    [{ type: "array" }, "an array"],
    [{ type: ["string", "null"] }, "a string or null"],
    [{ type: "number", minimum: 0 }, "a number (at least 0)"],
    [sortBy, 'one of "name", "size", "last_modified"'],
  ])("%j is %s", (schema, words) => {
    expect(expectation(schema)).toBe(words);
  });
});

test("a list of more values than a call takes arguments is read as well", () => {
  const rows = [Array.from({ length: 150_000 }, () => "1")];
  const read = coerceValue(rows, { type: "array", items: { type: "array", items: integer } }, "rows");
  expect(read).toMatchObject({ ok: true });
});
