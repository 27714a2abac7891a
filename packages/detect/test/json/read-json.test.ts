/** JSON as models write it, whole and in pieces of one character. */
import { describe, expect, test } from "vitest";
import { parseJson, readJson } from "../../src/json/read-json.ts";
import { type JsonOutcome, jsonReading } from "../../src/json/result.ts";
import { Input } from "../../src/scan/input.ts";
import type { JsonValue, Repair } from "../../src/types.ts";

interface Reading {
  readonly outcome: JsonOutcome;
  readonly value: JsonValue;
  readonly rest: string;
  readonly repairs: readonly Repair[];
}

/** Feeds the pieces as a detector does: a waiting reader is woken up only when it does not go on by itself. */
function readPieces(pieces: readonly string[]): Reading {
  const input = new Input();
  const reading = jsonReading(true, []);
  const reader = readJson(input, reading);
  let step: IteratorResult<void, JsonValue> | undefined;
  let rest = "";
  for (const piece of [...pieces, ""]) {
    input.ended = piece === "";
    if (step?.done) {
      rest += piece;
      continue;
    }
    input.append(piece);
    if (!input.ended && input.absorb?.()) continue;
    input.absorb = undefined;
    step = reader.next();
    if (step.done) rest = input.text.slice(input.pos);
  }
  if (!step?.done) throw new Error("The reader waits for more, but the text has ended.");
  return { outcome: reading.outcome, value: step.value, rest, repairs: reading.repairs };
}

function whole(value: JsonValue, repairs: readonly Repair[] = [], rest = "<"): Reading {
  return { outcome: "whole", value, rest, repairs };
}

const cases: readonly (readonly [string, string, Reading])[] = [
  ["a text", '"a b"<', whole("a b")],
  ["an empty text", '""<', whole("")],
  ["the usual escapes", '"a\\n\\t\\"\\\\\\/"<', whole('a\n\t"\\/')],
  ["characters by their code", '"\\u00e4\\ud83d\\ude00 \\u4F60"<', whole("ä😀 你")],
  ["an escape that is none", '"\\d \\x"<', whole("\\d \\x", ["invalid-escape"])],
  [
    "a text in three quotes",
    '{"a": """def f():\n  """doc"""\n  return "x"\n""", "b": ["""""", "", """\\n""""]}<',
    whole({ a: 'def f():\n  """doc"""\n  return "x"\n', b: ["", "", '\n"'] }, [
      "unescaped-quote",
      "control-character",
    ]),
  ],
  ["half a code", '"\\u12 "<', whole("\\u12 ", ["invalid-escape"])],
  ["a raw line feed", '"a\nb"<', whole("a\nb", ["control-character"])],
  [
    "quotation marks that were not escaped",
    '{"a": "b "c" d"}<',
    whole({ a: 'b "c" d' }, ["unescaped-quote"]),
  ],
  [
    "objects in a text that were not escaped",
    '{"a": {"b": "{"c": "d"} {"e": "f"}"}}<',
    whole({ a: { b: '{"c": "d"} {"e": "f"}' } }, ["unescaped-quote"]),
  ],
  [
    "what is no object after a quote that was not escaped",
    '{"a": {"b": "x{y: "}{c: d}"}}<',
    whole({ a: { b: 'x{y: "}{c: d}' } }, ["unescaped-quote"]),
  ],
  [
    "an object after an object where one belongs",
    '{"a": {"b": "c"} {"b": "d"}}<',
    { outcome: "broken", value: { a: { b: "c" } }, rest: '{"b": "d"}}<', repairs: ["missing-comma"] },
  ],
  [
    "an apostrophe in single quotes",
    "{'a': 'it\\'s'}<",
    whole({ a: "it's" }, ["single-quotes", "invalid-escape"]),
  ],
  ["a number", "-1.5e3<", whole(-1500)],
  ["a number too large to be one", "1e999<", whole("1e999")],
  ["a number with more digits than one keeps", "-12345678901234567890<", whole("-12345678901234567890")],
  ["a long number that keeps its digits", "9007199254740992<", whole(2 ** 53)],
  ["a number with an exponent", "1e20<", whole(1e20)],
  ["words of Python", "[True, None]<", whole([true, null], ["python-literal"])],
  [
    "an object of all kinds",
    '{"a": [1, {"b": null}], "c": {}, "d": []}<',
    whole({ a: [1, { b: null }], c: {}, d: [] }),
  ],
  ["white space everywhere", ' { "a" : [ 1 , 2 ] } <', whole({ a: [1, 2] }, [], " <")],
  ["a comma too many", '{"a": [1, 2,], }<', whole({ a: [1, 2] }, ["trailing-comma"])],
  ["a comma too few", '{"a": "b" "c": "d"}<', whole({ a: "b", c: "d" }, ["missing-comma"])],
  ["comments", '{/* x */"a": 1, // y\n"b": 2}<', whole({ a: 1, b: 2 }, ["comment"])],
  ["keys without marks", "{a: 1, b-c: 2}<", whole({ a: 1, "b-c": 2 }, ["unquoted-key"])],
  ["a word without marks", '{"a": main/x}<', whole({ a: "main/x" }, ["unquoted-value"])],
  [
    "a closer that is missing",
    '{"a": [1, {"b": 2</x>',
    whole({ a: [1, { b: 2 }] }, ["missing-closer"], "</x>"),
  ],
  ["a key that comes twice", '{"a": 1, "a": 2}<', whole({ a: 2 }, ["dropped-key"])],
  ["the key of a prototype", '{"__proto__": 1}<', whole(JSON.parse('{"__proto__": 1}') as JsonValue)],
  ["a text that is cut", '{"a": "b', { outcome: "cut", value: {}, rest: "", repairs: [] }],
  ["a text that is cut in an escape", '"b\\', { outcome: "cut", value: "b", rest: "", repairs: [] }],
  ["an object that is cut behind a colon", '{"a":', { outcome: "cut", value: {}, rest: "", repairs: [] }],
  ["a number that is cut", "[12", { outcome: "cut", value: [], rest: "", repairs: [] }],
  ["a key without a colon", '{"a" 1}', { outcome: "broken", value: {}, rest: "1}", repairs: [] }],
  ["a value that is none", '{"a": ?}', { outcome: "broken", value: {}, rest: "?}", repairs: [] }],
];

describe("values", () => {
  test.each(cases)("%s", (_name, text, expected) => {
    expect(readPieces([text])).toEqual(expected);
    expect(readPieces(text.split("")), "one character at a time").toEqual(expected);
    for (let index = 1; index < text.length; index += 1) {
      expect(readPieces([text.slice(0, index), text.slice(index)]), `split at ${index}`).toEqual(expected);
    }
  });

  test("lists deeper than what can be walked are refused", () => {
    expect(readPieces(["[".repeat(501)]).outcome).toBe("broken");
    expect(readPieces(["[".repeat(500), "]".repeat(500)]).outcome).toBe("whole");
  });
});

describe("a whole text", () => {
  test.each([
    ['{"a": 1}', { a: 1 }],
    [" 12 ", 12],
    ['"a" b', undefined],
    ["", undefined],
  ])("%s", (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });
});
