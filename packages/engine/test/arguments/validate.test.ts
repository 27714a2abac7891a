/**
 * The arguments of a call are checked against the schema of its tool: names are matched, values typed, or the model
 * gets a message that it can act on.
 */
import { type ParametersSchema, type Tool, type ValueSchema, validateInput } from "@localharness/engine";
import type { JsonObject, JsonValue } from "@localharness/protocol";
import { describe, expect, test } from "vitest";

function tool(
  properties: Record<string, ValueSchema>,
  more: Partial<Tool> & { required?: readonly string[] } = {},
): Tool {
  const { required, ...rest } = more;
  const parameters: ParametersSchema = { type: "object", properties, ...(required ? { required } : {}) };
  return {
    name: "read_file",
    description: "Reads a file.",
    parameters,
    risk: "safe",
    readOnly: true,
    execute: () => Promise.resolve({ ok: true, data: "" }),
    ...rest,
  };
}

const reader = tool(
  {
    path: { type: "string", description: "relative to the workspace" },
    line_start: { type: "integer" },
    raw: { type: "boolean" },
    globs: { type: "array", items: { type: "string" } },
  },
  { required: ["path"], parameterAliases: { path: ["file_path", "filename", "absolutePath"] } },
);

describe("validation", () => {
  test.each<readonly [string, string | JsonObject | null, JsonObject]>([
    ["takes what is right", { path: "a", line_start: 2 }, { path: "a", line_start: 2 }],
    [
      "types what is not",
      '{"path":"a","line_start":"2","raw":"true","globs":"*.ts"}',
      { path: "a", line_start: 2, raw: true, globs: ["*.ts"] },
    ],
    ["takes an alias", { file_path: "a" }, { path: "a" }],
    ["takes an alias in another case", { filePath: "a" }, { path: "a" }],
    ["takes an alias that is declared in another case", { "absolute-path": "a" }, { path: "a" }],
    ["takes a parameter in another case", { Path: "a", lineStart: 1 }, { path: "a", line_start: 1 }],
    ["takes the name and its alias with one value", { file_path: "a", path: "a" }, { path: "a" }],
    ["takes two aliases with one value", { filename: "a", file_path: "a" }, { path: "a" }],
    ["prefers the value to null under another spelling", { filename: null, file_path: "a" }, { path: "a" }],
    ["prefers the value to null under an alias", { path: "a", Path: null }, { path: "a" }],
    ["drops null for what is optional", { path: "a", line_start: null, globs: null }, { path: "a" }],
    ["leaves out what is unknown", { path: "a", colour: "red" }, { path: "a" }],
    ["unwraps arguments around the arguments", { arguments: { path: "a" } }, { path: "a" }],
    ["unwraps them as JSON text too", { parameters: '{"path":"a"}' }, { path: "a" }],
  ])("%s", (_title, raw, args) => {
    const checked = validateInput(reader, raw);
    expect(checked.ok ? checked.arguments : checked.message).toEqual(args);
  });

  test.each<readonly [string, JsonObject, readonly string[]]>([
    ["nothing when all is right", { path: "a" }, []],
    ["nothing for an alias", { file_path: "a" }, []],
    [
      "a value that was typed",
      { path: "a", line_start: "2" },
      ['line_start: read the string "2" as integer'],
    ],
    ["an unknown key", { path: "a", colour: "red" }, ['unknown parameter "colour" was ignored']],
    [
      "an unknown key that is near a known one",
      { path: "a", rw: true },
      ['unknown parameter "rw" was ignored; did you mean "raw"?'],
    ],
    [
      "an alias beside its name",
      { path: "a", file_path: "a" },
      ['unknown parameter "file_path" was ignored'],
    ],
  ])("notes %s", (_title, raw, notes) => {
    const checked = validateInput(reader, raw);
    expect(checked.ok ? checked.notes : checked.message).toEqual(notes);
  });

  test.each<readonly [string, string | JsonObject | null, string]>([
    [
      "what is missing",
      {},
      'read_file: parameter "path" is missing; expected a string (relative to the workspace). A correct call has the arguments {"path":"src/main.ts"}',
    ],
    [
      "null for what is required",
      { path: null },
      'read_file: parameter "path" must be a string, but is null. A correct call has the arguments {"path":"src/main.ts"}',
    ],
    [
      "what cannot be typed, with what was right in the example",
      { path: "b.md", line_start: "two" },
      'read_file: parameter "line_start" must be an integer, but is the string "two". A correct call has the arguments {"path":"b.md"}',
    ],
    [
      "every problem at once",
      { line_start: "two", raw: [] },
      'read_file: parameter "path" is missing; expected a string (relative to the workspace); parameter "line_start" must be an integer, but is the string "two"; parameter "raw" must be a boolean, but is an array of 0. A correct call has the arguments {"path":"src/main.ts"}',
    ],
    [
      "text that is no object",
      "[1]",
      'read_file: the arguments must be a JSON object, but are an array of 1. A correct call has the arguments {"path":"src/main.ts"}',
    ],
  ])("a message names %s", (_title, raw, message) => {
    expect(validateInput(reader, raw)).toEqual({ ok: false, message });
  });

  test.each<readonly [string, string | JsonObject, string]>([
    [
      "a name and its alias",
      { path: "a", file_path: "b" },
      '"path" (the string "a") and "file_path" (the string "b") are both the parameter "path", with different values: give it once, as "path"',
    ],
    [
      "an alias and the name behind it",
      { filePath: "b", path: "a" },
      '"path" (the string "a") and "filePath" (the string "b") are both the parameter "path", with different values: give it once, as "path"',
    ],
    [
      "two spellings of a name",
      '{"Path":"a","PATH":"b"}',
      '"Path" (the string "a") and "PATH" (the string "b") are both the parameter "path", with different values: give it once, as "path"',
    ],
    [
      "values of two types",
      '{"path":"a","line_start":2,"LineStart":"2"}',
      '"line_start" (the number 2) and "LineStart" (the string "2") are both the parameter "line_start", with different values: give it once, as "line_start"',
    ],
    [
      "a key twice",
      '{"path":"a","path":"b"}',
      'the arguments are ambiguous: the key "path" is there twice; give it once',
    ],
    [
      "a key twice inside arguments in arguments",
      { arguments: '{"path":"a","path":"a"}' },
      'the arguments are ambiguous: the key "path" is there twice; give it once',
    ],
  ])("what could be read in two ways is not read: %s", (_title, raw, problem) => {
    for (const additionalProperties of [false, true]) {
      const parameters = { ...reader.parameters, additionalProperties };
      const checked = validateInput({ ...reader, parameters }, raw);
      expect(checked.ok ? checked.arguments : checked.message).toMatch(problem);
    }
  });

  test("a message says why JSON is broken and shows a correct call", () => {
    const checked = validateInput(reader, '{"path": "a');
    expect(checked.ok ? "" : checked.message).toMatch(
      /^read_file: the arguments are not valid JSON \(.+\)\. A correct call has the arguments \{"path":"src\/main\.ts"\}$/,
    );
  });

  test("a tool without parameters takes anything and reports it", () => {
    expect(validateInput(tool({}), { a: 1 })).toEqual({
      ok: true,
      arguments: {},
      notes: ['unknown parameter "a" was ignored: read_file takes none'],
    });
  });

  test("a schema that lets more pass keeps it, without a note", () => {
    const open = { ...tool({ a: { type: "string" } }) };
    const parameters = { ...open.parameters, additionalProperties: true };
    expect(validateInput({ ...open, parameters }, { a: "x", b: [1] })).toEqual({
      ok: true,
      arguments: { a: "x", b: [1] },
      notes: [],
    });
  });

  test.each<readonly [string, JsonObject, object]>([
    ["are taken and typed", { "n-a": "3" }, { ok: true, arguments: { "n-a": 3 } }],
    [
      "are checked",
      { "n-a": "x" },
      { ok: false, message: expect.stringContaining('"n-a" must be an integer') },
    ],
    [
      "leave others unknown",
      { "n-a": 3, other: 1 },
      { arguments: { "n-a": 3 }, notes: [expect.stringContaining('"other" was ignored')] },
    ],
    ["never include __proto__", JSON.parse('{"__proto__":1}'), { ok: true, arguments: {} }],
  ])("parameters that a tool declares by pattern %s", (_title, raw, checked) => {
    const patternProperties = { "^n-": { type: "integer" }, __proto: { type: "integer" } } as const;
    const parameters = { ...tool({}).parameters, additionalProperties: false, patternProperties };
    expect(validateInput({ ...tool({}), parameters }, raw)).toMatchObject(checked);
  });

  test("a tool with a parameter named arguments is not unwrapped", () => {
    const wrapper = tool({ arguments: { type: "object" } });
    expect(validateInput(wrapper, { arguments: { path: "a" } })).toMatchObject({
      arguments: { arguments: { path: "a" } },
    });
  });

  test.each(["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty"])(
    "a key %s is unknown and harmless",
    (key) => {
      for (const of of [
        reader,
        { ...reader, parameters: { ...reader.parameters, additionalProperties: true } },
      ]) {
        const checked = validateInput(of, `{"path":"a","${key}":{"polluted":1}}`);
        expect(checked).toMatchObject({ ok: true, arguments: { path: "a" } });
        expect(checked.ok && Object.getPrototypeOf(checked.arguments)).toBe(Object.prototype);
        expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
      }
    },
  );
});

/** Deterministic random JSON, with names and shapes that are near what the tool wants. */
function randomJson(seed: number): JsonValue {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const keys = [
    "path",
    "filePath",
    "line_start",
    "raw",
    "globs",
    "__proto__",
    "constructor",
    "arguments",
    "",
    "ключ",
    "x",
  ];
  const texts = [
    "",
    "3",
    "true",
    "null",
    "[1]",
    '{"path":"a"}',
    "{",
    "\ud800",
    "\u0000",
    "🦊",
    "NaN",
    "-",
    "1e400",
    "a".repeat(300),
  ];
  const make = (depth: number): JsonValue => {
    switch (next(depth > 4 ? 5 : 8)) {
      case 0:
        return null;
      case 1:
        return next(2) === 0;
      case 2:
        return [0, -1, 1.5, 1e21, 2 ** 53][next(5)] ?? 0;
      case 3:
      case 4:
        return texts[next(texts.length)] ?? "";
      case 5:
        return Array.from({ length: next(4) }, () => make(depth + 1));
      default:
        return Object.fromEntries(
          Array.from({ length: next(5) }, () => [keys[next(keys.length)] ?? "k", make(depth + 1)]),
        );
    }
  };
  return make(0);
}

test("a key __proto__ is reported even where more may pass", () => {
  const open = { ...reader, parameters: { ...reader.parameters, additionalProperties: true } };
  expect(validateInput(open, '{"path":"a","__proto__":1}')).toMatchObject({
    notes: ['unknown parameter "__proto__" was ignored'],
  });
});

describe("validation of random JSON", () => {
  test("never throws; what passes has the types of the schema, what does not has a message", () => {
    let passed = 0;
    for (let seed = 1; seed <= 5_000; seed += 1) {
      const value = randomJson(seed);
      for (const raw of [JSON.stringify(value), value as JsonObject]) {
        const checked = validateInput(reader, raw);
        if (!checked.ok) {
          expect(checked.message).toMatch(/^read_file: .+ A correct call has the arguments \{.*\}$/s);
          continue;
        }
        passed += 1;
        const { path, line_start, raw: flag, globs, ...rest } = checked.arguments;
        expect(rest).toEqual({});
        expect(typeof path).toBe("string");
        expect(line_start === undefined || Number.isInteger(line_start)).toBe(true);
        expect(flag === undefined || typeof flag === "boolean").toBe(true);
        expect(
          globs === undefined || (Array.isArray(globs) && globs.every((glob) => typeof glob === "string")),
        ).toBe(true);
      }
    }
    expect(passed).toBeGreaterThan(200);
  });

  test("never throws on random text", () => {
    for (let seed = 1; seed <= 2_000; seed += 1) {
      const text = JSON.stringify(randomJson(seed));
      const cut = text.slice(seed % 7, text.length - (seed % 5));
      expect(typeof validateInput(reader, cut).ok).toBe("boolean");
    }
  });
});

test("a required parameter that may be null and is missing is null, because models see it as an optional one", () => {
  const nullable = tool(
    { path: { type: "string" }, note: { type: ["string", "null"] }, any: {} },
    { required: ["path", "note"] },
  );
  expect(validateInput(nullable, { path: "a" })).toEqual({
    ok: true,
    arguments: { path: "a", note: null },
    notes: ['took null for the missing "note"'],
  });
  const open = tool({ path: { type: "string" }, any: {} }, { required: ["any"] });
  expect(validateInput(open, { path: "a" })).toMatchObject({ ok: false });
});
