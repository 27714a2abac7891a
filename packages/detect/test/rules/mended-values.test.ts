/** Slips of models in values, in each notation: the call that is read, its repairs, and that pieces give the same events. */
import { describe, expect, test } from "vitest";
import { detect, type JsonValue, type Repair, summarize, type ToolSchema } from "../../src/index.ts";
import { readPieces } from "../format-contract.ts";

const text = { type: "string" };
const tools: readonly ToolSchema[] = [
  {
    name: "look_up",
    parameters: {
      type: "object",
      properties: { term: text, pages: { type: "integer" } },
      required: ["term"],
    },
  },
  {
    name: "plant",
    parameters: {
      type: "object",
      properties: {
        bed: text,
        note: text,
        days: { type: "array", items: text },
        size: { type: "object", properties: { rows: { type: "integer" }, kind: text } },
      },
      required: ["bed", "note"],
    },
  },
];

type Slip = readonly [
  title: string,
  reply: string,
  args: { [key: string]: JsonValue },
  repairs: readonly Repair[],
];

const json = (args: string, name = "look_up") =>
  `<tool_call>{"name": "${name}", "arguments": ${args}}</tool_call>`;
const python = (call: string) => `<|tool_call_start|>[${call}]<|tool_call_end|>`;
const gemma = (call: string) => `<|tool_call>call:${call}<tool_call|>`;
const tags = (body: string, name = "look_up") =>
  `<tool_call>\n<function=${name}>\n${body}\n</function>\n</tool_call>`;
const invoke = (body: string) =>
  `<minimax:tool_call><invoke name="plant">${body}</invoke></minimax:tool_call>`;
const glm = (body: string) => `<tool_call>look_up\n${body}\n</tool_call>`;
const roses = { term: "roses", pages: 7 };
const dug = { bed: "east", note: "dug" };

const slips: { readonly [notation: string]: readonly Slip[] } = {
  JSON: [
    [
      "arguments as JSON in a text whose quotes are open",
      json('"{"term": "roses", "pages": 7}"'),
      roses,
      ["unescaped-quote", "stringified-arguments"],
    ],
    [
      "JSON in a text argument whose quotes are open",
      json('{"bed": "east", "note": "{"k": [1, "v"]}"}', "plant"),
      { bed: "east", note: '{"k": [1, "v"]}' },
      ["unescaped-quote"],
    ],
    [
      "a text without its closing quote",
      json('{"term": "roses, "pages": 7}'),
      roses,
      ["missing-closer", "missing-comma"],
    ],
    ["a text without its opening quote", json('{"term": roses", "pages": 7}'), roses, ["unquoted-value"]],
    ["a key without its closing quote", json('{"term: "roses", "pages": 7}'), roses, ["unquoted-key"]],
    ["a key without its opening quote", json('{term": "roses", "pages": 7}'), roses, ["unquoted-key"]],
    ["arrows and semicolons", json('{"term" => "roses"; "pages" => 7}'), roses, ["wrong-separator"]],
    [
      "the signs of Chinese texts",
      json("{“term”：“roses”，“pages”：7}"),
      roses,
      ["single-quotes", "wrong-separator"],
    ],
    [
      "two braces",
      `<tool_call>{${json(JSON.stringify(roses)).slice(11, -12)}}</tool_call>`,
      roses,
      ["extra-closer"],
    ],
    [
      "a whole call in a text",
      `<tool_call>${JSON.stringify(json(JSON.stringify(roses)).slice(11, -12))}</tool_call>`,
      roses,
      ["stringified-arguments"],
    ],
    [
      "a text in place of the arguments",
      json('"roses"'),
      { term: "roses" },
      ["stringified-arguments", "argument-key"],
    ],
    [
      "a value as in a schema",
      json('{"term": {"type": "string", "value": "roses"}}'),
      { term: "roses" },
      ["typed-value"],
    ],
    ["a word for nothing", json('{"term": "roses", "pages": "None"}'), { term: "roses" }, ["dropped-key"]],
    ["a pattern", json('{"term": "\\bbed\\d+"}'), { term: "\\bbed\\d+" }, ["invalid-escape"]],
    [
      "a line break beside a pattern",
      json('{"bed": "east", "note": "find \\d in it\\n\\nand go on"}', "plant"),
      { bed: "east", note: "find \\d in it\n\nand go on" },
      ["invalid-escape"],
    ],
    [
      "a path in a command",
      json('{"term": "type E:\\Garden\\new\\beds.txt"}'),
      { term: "type E:\\Garden\\new\\beds.txt" },
      ["invalid-escape"],
    ],
  ],
  Python: [
    ["colons and quotes at names", python('look_up("term": "roses", pages: 7)'), roses, ["argument-key"]],
    ["an object in place of the arguments", python('look_up({"term": "roses", "pages": 7})'), roses, []],
    ["the same without marks", '[look_up({"term": "roses", "pages": 7})]', roses, []],
    ["an unpacked object", python('look_up(**{"term": "roses"}, pages=7)'), roses, []],
    ["arguments by their place", python('plant("east", "dug")'), dug, ["argument-key"]],
    [
      "words without quotes",
      python("look_up(term=red roses, pages=7)"),
      { ...roses, term: "red roses" },
      ["unquoted-value"],
    ],
    [
      "open quotes and commas",
      python(`plant(bed="a "b", c", note='it's Ann's')`),
      { bed: 'a "b", c', note: "it's Ann's" },
      ["unescaped-quote"],
    ],
    [
      "open quotes without marks",
      `[plant(bed="east", note="dig ("deep")")]`,
      { bed: "east", note: 'dig ("deep")' },
      ["unescaped-quote"],
    ],
    [
      "a missing parenthesis",
      '<|tool_call_start|>[look_up(term="roses", pages=7<|tool_call_end|>',
      roses,
      ["missing-closer"],
    ],
    [
      "a set, and a comment",
      python('plant(bed="east", note="dug",  # today\n days={"mon", "tue"})'),
      { ...dug, days: ["mon", "tue"] },
      ["comment"],
    ],
    [
      "a key around all arguments",
      python('look_up(input={"term": "roses", "pages": 7})'),
      roses,
      ["argument-key"],
    ],
  ],
  Gemma: [
    [
      "a text without tokens that has commas",
      gemma("plant{bed:east, near: wall,note:dug}"),
      { bed: "east, near: wall", note: "dug" },
      [],
    ],
    [
      "ordinary quotes with quotes and commas inside",
      gemma('plant{bed:"a "b", c",note:"dug"}'),
      { bed: 'a "b", c', note: "dug" },
      ["unquoted-value"],
    ],
    [
      "a text without its closing token",
      gemma('look_up{term:<|"|>roses,pages:7}'),
      roses,
      ["missing-closer"],
    ],
    [
      "signs of equality",
      gemma('look_up{term=<|"|>roses<|"|>,pages=<|"|>7<|"|>}'),
      roses,
      ["wrong-separator", "typed-value"],
    ],
  ],
  tags: [
    [
      "a value in the tag",
      tags("<parameter=term=roses</parameter>\n<parameter=pages=7></parameter>"),
      roses,
      ["half-open-tag"],
    ],
    [
      "a tag that lost its end",
      tags("<parameter=term\nroses\n</parameter>\n<parameter=pages>7</parameter>"),
      roses,
      ["half-open-tag"],
    ],
    ["a value in an attribute", tags('<parameter name="term" value="roses"/>'), { term: "roses" }, []],
    [
      "the end tag of the key",
      tags("<parameter=term>roses</term>\n<parameter=pages>7</pages>"),
      roses,
      ["wrong-end-tag"],
    ],
    [
      "tags around all arguments",
      tags("<arguments><term>roses</term><pages>7</pages></arguments>"),
      roses,
      ["argument-key"],
    ],
    [
      "a number in quotes",
      tags('<parameter=term>roses</parameter><parameter=pages>"7"</parameter>'),
      roses,
      [],
    ],
    [
      "a list as repeated elements, an object as elements",
      invoke("<bed>east</bed><note>dug</note><days>mon</days><days>tue</days><size><rows>3</rows></size>"),
      { ...dug, days: ["mon", "tue"], size: { rows: 3 } },
      [],
    ],
    [
      "an object in a fence",
      tags(
        '<parameter=bed>east</parameter><parameter=note>dug</parameter><parameter=size>\n```json\n{"rows": 3}\n```\n</parameter>',
        "plant",
      ),
      { ...dug, size: { rows: 3 } },
      [],
    ],
    [
      "the opening tag of an argument in a text",
      invoke(
        '<parameter name="bed">see <parameter name="z"> there</parameter><parameter name="note">dug</parameter>',
      ),
      { bed: 'see <parameter name="z"> there', note: "dug" },
      [],
    ],
    [
      "a value after its key in GLM",
      glm("<arg_key>term=roses</arg_key>\n<arg_key>pages</arg_key><arg_value>7</arg_value>"),
      roses,
      ["half-open-tag"],
    ],
  ],
  "a tag with the name of the tool": [
    [
      "tags of another format",
      '<look_up>\n<parameter name="term">roses</parameter>\n<parameter=pages>7</parameter>\n</look_up>',
      roses,
      [],
    ],
    ["JSON", '<look_up>\n{"term": "roses", "pages": 7}\n</look_up>', roses, []],
    ["lines with signs of equality", '<look_up>\nterm = "roses"\npages = 7\n</look_up>', roses, []],
    [
      "YAML with open quotes",
      '<plant>\nbed: "a "b" c"\nnote: dug\n</plant>',
      { bed: 'a "b" c', note: "dug" },
      ["unescaped-quote"],
    ],
  ],
};

for (const [notation, rows] of Object.entries(slips)) {
  describe(notation, () => {
    test.each(rows)("%s", (_title, reply, args, repairs) => {
      const events = detect(reply, { tools });
      const { calls, errors, text: left } = summarize(events);
      expect(calls.map(({ arguments: read }) => read)).toEqual([args]);
      expect([...(calls[0]?.repairs ?? [])].sort()).toEqual([...repairs].sort());
      expect([errors, left.trim()]).toEqual([[], ""]);
      expect(readPieces(reply.split(""), { tools })).toEqual(events);
    });
  });
}

test.each([
  ["a value of a program", "<|tool_call_start|>[look_up(term=find(x), pages=7)]<|tool_call_end|>"],
  ["a word without quotes and without marks", "[look_up(term=roses)]"],
  ["open quotes over two lines without marks", '[look_up(term="a "b\nc")]'],
])("%s is no call", (_title, reply) => {
  expect(summarize(detect(reply, { tools })).calls).toEqual([]);
});
